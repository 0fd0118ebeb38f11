//! `fracas simulate` and `fracas merge`: many whole conflicts, and what came of them under each setting.

mod kept;
mod part;
mod plan;
mod rows;
mod told;

use crate::args::{Format, MergeArgs, SimulateArgs};
use crate::screen::Screen;
use crate::stop::{Ended, Stop};
use crate::{files, find};
use fracas_kernel::{Setup, System, Words};
use fracas_sim::{Sums, measures, study};
use fracas_systems::Visit;
use indicatif::{ProgressBar, ProgressStyle};
use kept::{Keeper, Log};
use part::Part;
use plan::{Arm, Order, Simulation};
use rows::Out;
use std::ops::ControlFlow;

/// After so many conflicts, and twice, four times … as many, `--until` looks at the intervals.
const FIRST_LOOK: u64 = 1_000;

/// Plays, and prints what came of it.
pub(crate) fn run(args: &SimulateArgs, screen: &mut Screen) -> Ended {
    let order = Order::read(args)?;
    let (system, setup, _) = find::encounter(Some(&args.encounter), args.system.as_deref(), None)?;
    let arms = plan::arms(&setup, &order.settings);
    let title = setup.encounter.to_json()["title"].as_str().unwrap_or(&args.encounter).to_owned();
    let simulation = Simulation::new(&system, &title, &setup, &order);
    let mut playing = Playing { args, order: &order, system, arms: &arms, simulation };
    let done = fracas_systems::visit(system.id, &mut playing);
    let (part, logs) =
        done.ok_or_else(|| Stop::bad(format!("there is no system {:?} here", system.id)))??;
    // What was found out is told even if a log cannot be written.
    let (logs, failed) = match logs {
        Ok(logs) => (logs, Ok(())),
        Err(stop) => (Vec::new(), Err(stop)),
    };
    report(&part, &order.measures, &logs, args.format, screen)?;
    failed
}

/// Adds up parts, and prints what came of them together.
pub(crate) fn merge(args: &MergeArgs, screen: &mut Screen) -> Ended {
    let mut whole: Option<Part> = None;
    for path in &args.parts {
        let part = Part::read(path)?;
        match &mut whole {
            None => whole = Some(part),
            Some(whole) => whole.merge(part, path)?,
        }
    }
    let Some(whole) = whole else { return Err(Stop::bad("no part is given")) };
    plan::known(&args.measures, &whole.sums.measures)?;
    if let Some(out) = &args.out {
        files::write(out, whole.text(), args.force)?;
    }
    report(&whole, &args.measures, &[], args.format, screen)
}

fn report(part: &Part, wanted: &[String], logs: &[Log], format: Format, screen: &mut Screen) -> Ended {
    match format {
        Format::Json => Ok(screen.json(&told::Results::of(part, wanted, logs))?),
        Format::Text => told::text(part, wanted, logs, screen),
    }
}

/// One simulation, by the types of its game.
struct Playing<'p> {
    args: &'p SimulateArgs,
    order: &'p Order,
    system: System,
    arms: &'p [Arm],
    simulation: Simulation,
}

impl Visit for Playing<'_> {
    type Out = Result<(Part, Result<Vec<Log>, Stop>), Stop>;

    fn game<G: Words>(&mut self) -> Self::Out {
        let begun = |setup: &Setup| G::start(setup).map_err(Stop::from);
        let tables = self.arms.iter().map(|arm| begun(&arm.setup)).collect::<Result<Vec<_>, Stop>>()?;
        let names = measures::<G>(&tables[0]);
        plan::known(&self.order.measures, &names)?;
        let mut keeper = Keeper::new(self.order.keep, &names);
        let sums = Sums::new(names, self.arms.iter().map(|arm| arm.label.clone()));
        let whole = &self.order.plan.conflicts;
        let mut part = Part::new(self.simulation.clone(), whole.start, sums);
        let mut out = Out::open(self.args, whole, &mut part, &mut keeper)?;
        let mut plan = self.order.plan.clone();
        plan.conflicts.start = part.to();
        let style =
            ProgressStyle::with_template("{wide_bar} {pos} of {len} conflicts, {per_sec}, {eta} left");
        let bar = ProgressBar::new(whole.end - whole.start).with_position(part.sums.conflicts);
        let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let mut failed = None;
        study::<G>(&tables, &plan, |block| {
            for rows in &block {
                if looks_at(part.sums.conflicts) && self.is_precise(&part.sums) {
                    return ControlFlow::Break(());
                }
                keeper.see(part.to(), rows);
                if let Err(stop) = out.row(part.to(), &part.sums, rows) {
                    failed = Some(stop);
                    return ControlFlow::Break(());
                }
                part.add(rows);
            }
            bar.inc(block.len() as u64);
            match out.note(&part, &keeper) {
                Ok(()) => ControlFlow::Continue(()),
                Err(stop) => {
                    failed = Some(stop);
                    ControlFlow::Break(())
                }
            }
        });
        bar.finish_and_clear();
        if let Some(stop) = failed {
            return Err(stop);
        }
        out.close(&part)?;
        let logs = keeper.logs::<G>(&self.system, self.arms, &tables, &self.order.plan, self.args);
        Ok((part, logs))
    }
}

/// Whether `--until` looks at the intervals after so many conflicts.
fn looks_at(done: u64) -> bool {
    done.is_multiple_of(FIRST_LOOK) && (done / FIRST_LOOK).is_power_of_two()
}

impl Playing<'_> {
    /// Whether the measure that matters is known as precisely as was asked, under each setting and in each
    /// comparison.
    fn is_precise(&self, sums: &Sums) -> bool {
        let Some(most) = self.order.until else { return false };
        let wanted = self.order.measures.first().map_or("players-stand", String::as_str);
        let Some(at) = sums.measures.iter().position(|name| name == wanted) else { return false };
        // Of a number that is no share, so much of its mean.
        let most = if sums.is_share(at) { most } else { most * sums.mean(0, at).mean.abs() };
        let reach = |mean: fracas_sim::Mean| (mean.high - mean.mean).max(mean.mean - mean.low);
        (0..sums.arms.len())
            .all(|arm| reach(sums.mean(arm, at)) <= most && reach(sums.difference(arm, at)) <= most)
    }
}
