//! What came of a simulation, for people and for programs.

use super::kept::Log;
use super::part::Part;
use crate::args::Format;
use crate::screen::{ALARM, FAINT, PLAIN, STRONG, Screen, Text, some};
use crate::stop::Ended;
use fracas_sim::{ENDS, Mean, Play, Sums, WIN};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Of fewer conflicts the intervals of means are only rough.
const FEW: u64 = 30;

/// What came of a simulation, for programs.
#[derive(Serialize)]
pub(super) struct Results<'r> {
    system: &'r str,
    title: &'r str,
    players: Play,
    gm: Play,
    seed: u64,
    conflicts: u64,
    /// Conflicts that no part has, from the first to before the second of each pair.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<(u64, u64)>,
    settings: Vec<Setting<'r>>,
    #[serde(skip_serializing_if = "<[Log]>::is_empty")]
    kept: &'r [Log],
}

/// A measure under a setting.
#[derive(Serialize)]
struct Measure {
    #[serde(flatten)]
    mean: Mean,
    /// Half of the conflicts have no more than this.
    median: Option<i64>,
    /// Nine tenths of them have no more than this.
    nine_tenths: Option<i64>,
}

#[derive(Serialize)]
struct Setting<'r> {
    setting: &'r str,
    measures: BTreeMap<&'r str, Measure>,
    /// The differences from the first setting, conflict by conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    differences: Option<BTreeMap<&'r str, Mean>>,
    /// How many conflicts ended otherwise than under the first setting.
    #[serde(skip_serializing_if = "Option::is_none")]
    differ: Option<u64>,
    /// In how many conflicts each of those who fell did.
    fell: &'r BTreeMap<String, u64>,
}

impl Results<'_> {
    pub(super) fn of<'r>(part: &'r Part, wanted: &[String], kept: &'r [Log]) -> Results<'r> {
        let Part { of, sums, .. } = part;
        let some = || {
            let all = sums.measures.iter().enumerate();
            all.filter(|(_, name)| wanted.is_empty() || wanted.contains(name))
        };
        let measure = |nth, at| Measure {
            mean: sums.mean(nth, at),
            median: sums.quantile(nth, at, 0.5),
            nine_tenths: sums.quantile(nth, at, 0.9),
        };
        let setting = |(nth, arm): (usize, &'r fracas_sim::Arm)| Setting {
            setting: &arm.label,
            measures: some().map(|(at, name)| (name.as_str(), measure(nth, at))).collect(),
            differences: (nth > 0)
                .then(|| some().map(|(at, name)| (name.as_str(), sums.paired(nth, at))).collect()),
            differ: (nth > 0).then_some(arm.differ),
            fell: &arm.fell,
        };
        Results {
            system: &of.system,
            title: &of.title,
            players: of.players,
            gm: of.gm,
            seed: of.seed,
            conflicts: sums.conflicts,
            missing: part.gaps(),
            settings: sums.arms.iter().enumerate().map(setting).collect(),
            kept,
        }
    }
}

/// What a policy does, and what it cannot know.
fn policy(play: Play) -> String {
    match play {
        Play::Random => "gives any listed answer".to_owned(),
        Play::Fair => {
            "gives any listed answer but those that a good player is reluctant to give; it does not \
                       look ahead"
                .to_owned()
        }
        Play::Brisk => {
            "gives the answer that looks best by rules of thumb, from what its seat knows; it tries nothing \
                        and does not look ahead"
                .to_owned()
        }
        Play::Sound(work) => format!(
            "gives the answer after which its side is best off, trying {work} answers and throws; it does not \
             look beyond the next turn, and knows no more than its seat"
        ),
    }
}

/// What is printed of a simulation.
pub(super) struct Told<'t> {
    /// The measures; all where there are none.
    pub(super) wanted: &'t [String],
    /// Whether the intervals are as narrow as was asked, if anything was.
    pub(super) until: Option<bool>,
    /// Whether conflicts that no part has are named.
    pub(super) gaps: bool,
    /// Where rows or sums are written.
    pub(super) out: Option<&'t Path>,
}

impl Told<'_> {
    /// Prints what came of it.
    pub(super) fn print(&self, part: &Part, logs: &[Log], format: Format, screen: &mut Screen) -> Ended {
        if format == Format::Json {
            return Ok(screen.json(&Results::of(part, self.wanted, logs))?);
        }
        if self.gaps {
            for (from, to) in part.gaps() {
                screen.tell(ALARM, &format!("Conflicts {from} to {} are missing.", to - 1))?;
            }
        }
        text(part, self.wanted, logs, screen)?;
        if self.until == Some(false) {
            screen.tell(ALARM, "The intervals are not as narrow as was asked: that takes more conflicts.")?;
        }
        if let Some(out) = self.out {
            screen.tell(FAINT, &format!("Written to {}.", out.display()))?;
        }
        Ok(())
    }
}

fn text(part: &Part, wanted: &[String], logs: &[Log], screen: &mut Screen) -> Ended {
    let Part { of, sums, .. } = part;
    let head = format!(": {}, seed {}", some(sums.conflicts as usize, "conflict"), of.seed);
    screen.say(&Text::of(STRONG, &of.title).and(PLAIN, head))?;
    screen.tell(FAINT, &format!("The players: {}.", name(of.players)))?;
    screen.tell(FAINT, &format!("The gamemaster: {}.", name(of.gm)))?;
    let unended: i64 = sums.arms.iter().map(|arm| arm.of[ENDS - 1].sum).sum();
    if unended > 0 {
        let all = sums.conflicts * sums.arms.len() as u64;
        let cut =
            format!("{unended} of {all} conflicts have no end: they were cut off, and count in every mean.");
        screen.tell(ALARM, &cut)?;
    }
    if sums.conflicts < FEW {
        let why = format!("Of fewer than {FEW} conflicts, the intervals of counts are too narrow.");
        screen.tell(FAINT, &why)?;
    }
    let width = sums.measures.iter().map(String::len).max().unwrap_or(0);
    for (nth, arm) in sums.arms.iter().enumerate() {
        screen.blank()?;
        screen.say(&Text::of(STRONG, &arm.label))?;
        if nth > 0 {
            let first = &sums.arms[0].label;
            let all = sums.conflicts;
            screen.tell(
                FAINT,
                &format!("{} of {all} conflicts end otherwise than with {first}.", arm.differ),
            )?;
        }
        let against = if nth > 0 { "   against the first" } else { "" };
        let head = format!(
            "  {:<width$} {:>9}   {:<19} {:>7} {:>7}{against}",
            "", "mean", "95 %", "median", "9 of 10"
        );
        screen.verbatim(&head)?;
        for (at, measure) in sums.measures.iter().enumerate() {
            let is_told = match wanted {
                [] => at < ENDS - 1 || sums.arms.iter().any(|arm| arm.of[at].squares != 0),
                some => some.contains(measure),
            };
            if is_told {
                // Which side stands comes of a conflict or not; everything else is counted.
                let share = at <= WIN;
                let (mean, within) = value(&sums.mean(nth, at), share);
                let quantile = |part| sums.quantile(nth, at, part).filter(|_| !share);
                let [median, most] =
                    [0.5, 0.9].map(|part| quantile(part).map_or_else(String::new, |n| n.to_string()));
                let against = match nth {
                    0 => String::new(),
                    _ => format!("   {}", compared(sums, nth, at, share)),
                };
                let line =
                    format!("  {measure:<width$} {mean:>9}   {within:<19} {median:>7} {most:>7}{against}");
                screen.verbatim(line.trim_end())?;
            }
        }
        let mut fell: Vec<(&String, &u64)> = arm.fell.iter().collect();
        fell.sort_by(|(a, m), (b, n)| n.cmp(m).then(a.cmp(b)));
        let share = |(name, count): &(&String, &u64)| {
            format!("{name} {:.1} %", **count as f64 * 100.0 / sums.conflicts.max(1) as f64)
        };
        let fell: Vec<String> = fell.iter().map(share).collect();
        if wanted.is_empty() && !fell.is_empty() {
            screen.say(&Text::plain(format!("  not standing at the end: {}", fell.join(", "))))?;
        }
    }
    if !logs.is_empty() {
        screen.blank()?;
    }
    for Log { path, conflict, label, parts } in logs {
        let parts = match parts {
            Some(step) => format!(", parts from the first after {}", some(*step, "step")),
            None => String::new(),
        };
        screen.say(&Text::plain(format!("{}: conflict {conflict}, {label}{parts}", path.display())))?;
    }
    Ok(())
}

fn name(play: Play) -> String {
    let name = match play {
        Play::Random => "random",
        Play::Fair => "fair",
        Play::Brisk => "brisk",
        Play::Sound(_) => "sound",
    };
    format!("{name}, which {}", policy(play))
}

/// A mean and its interval, in percent for a share.
fn value(mean: &Mean, share: bool) -> (String, String) {
    let Mean { mean: at, low, high } = *mean;
    match share {
        true => (format!("{:.1} %", at * 100.0), format!("{:.1} to {:.1} %", low * 100.0, high * 100.0)),
        false if low.is_finite() => (format!("{at:.2}"), format!("{low:.2} to {high:.2}")),
        false => (format!("{at:.2}"), String::new()),
    }
}

/// A difference with its interval, in points of a hundred for a share.
fn compared(sums: &Sums, arm: usize, at: usize, share: bool) -> String {
    if !share && sums.arms[arm].differences[at].squares == 0 {
        return "the same in every conflict".to_owned();
    }
    let mean = sums.paired(arm, at);
    let (scale, unit) = if share { (100.0, " points") } else { (1.0, "") };
    let [by, low, high] = [mean.mean, mean.low, mean.high].map(|number| number * scale);
    let interval = if low.is_finite() { format!(" ({low:+.2} to {high:+.2})") } else { String::new() };
    format!("{by:+.2}{unit}{interval}")
}
