//! `fracas simulate` and `fracas merge`: many whole conflicts, and what came of them under each setting.

mod kept;
mod part;
mod plan;
mod rows;
mod told;

use crate::args::{MergeArgs, SimulateArgs};
use crate::screen::Screen;
use crate::stop::{Ended, Stop};
use crate::{files, find};
use fracas_kernel::{Setup, System, Words};
use fracas_sim::{Mean, Sums, WIN, measures, study};
use fracas_systems::Visit;
use indicatif::{ProgressBar, ProgressStyle};
use kept::{Keeper, Log};
use part::Part;
use plan::{Arm, Order, Simulation};
use rows::Out;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use told::Told;

/// After so many conflicts, and twice, four times … as many, `--until` looks at the intervals.
const FIRST_LOOK: u64 = 1_000;

/// Plays, and prints what came of it.
pub(crate) fn run(args: &SimulateArgs, screen: &mut Screen) -> Ended {
    let order = Order::read(args)?;
    if args.encounter.ends_with(".fracas") {
        return Err(Stop::bad(format!("{}: is a log; simulate an encounter", args.encounter)));
    }
    // The first Ctrl-C ends the simulation in order, another one the program.
    let _ = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    let (system, setup, _) = find::encounter(Some(&args.encounter), args.system.as_deref(), None)?;
    let arms = plan::arms(&setup, &order.settings);
    let title = setup.encounter.to_json()["title"].as_str().unwrap_or(&args.encounter).to_owned();
    let simulation = Simulation::new(&system, &title, &setup, &order);
    let mut playing = Playing { args, order: &order, system, arms: &arms, simulation };
    let done = fracas_systems::visit(system.id, &mut playing);
    let done = done.ok_or_else(|| Stop::bad(format!("there is no system {:?} here", system.id)))??;
    let Done { part, out, logs } = done;
    // What was found out is told even if a log cannot be written.
    let (logs, failed) = match logs {
        Ok(logs) => (logs, None),
        Err(stop) => (Vec::new(), Some(stop)),
    };
    let until = order.until.map(|_| is_precise(&order, &part.sums));
    let telling = Told { wanted: &order.measures, until, gaps: false, out: args.out.as_deref() };
    telling.print(&part, &logs, args.format, screen)?;
    if STOPPED.load(Ordering::Relaxed) {
        let on = if args.out.is_some() { ": the same command goes on" } else { "" };
        return Err(Stop::Interrupted(format!("stopped after {} conflicts{on}", part.sums.conflicts)));
    }
    match failed {
        Some(stop) => Err(stop),
        None => out.close(&part),
    }
}

/// Whether somebody has pressed Ctrl-C.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// What a simulation has come to.
struct Done {
    part: Part,
    out: Out,
    logs: Result<Vec<Log>, Stop>,
}

/// Adds up parts, and prints what came of them together.
pub(crate) fn merge(args: &MergeArgs, screen: &mut Screen) -> Ended {
    let mut whole: Option<Part> = None;
    let mut parts: Vec<Part> = Vec::new();
    for path in &args.parts {
        let part = Part::read(path)?;
        match &mut whole {
            None => whole = Some(part.clone()),
            Some(whole) => {
                let twice = parts.iter().zip(&args.parts);
                let twice = twice.filter(|(other, _)| other.of == part.of);
                if let Some((conflict, at)) =
                    twice.filter_map(|(other, at)| Some((part.shared(other)?, at))).next()
                {
                    return Err(Stop::file(
                        path,
                        format!("has conflict {conflict}, which {} has too", at.display()),
                    ));
                }
                whole.merge(part.clone(), path)?;
            }
        }
        parts.push(part);
    }
    let Some(whole) = whole else { return Err(Stop::bad("no part is given")) };
    plan::known(&args.measures, &whole.sums.measures)?;
    if let Some(out) = &args.out {
        files::write(out, whole.text(), args.force)?;
    }
    let telling = Told { wanted: &args.measures, until: None, gaps: true, out: args.out.as_deref() };
    telling.print(&whole, &[], args.format, screen)
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
    type Out = Result<Done, Stop>;

    fn game<G: Words>(&mut self) -> Self::Out {
        let begun = |setup: &Setup| G::start(setup).map_err(Stop::from);
        let tables = self.arms.iter().map(|arm| begun(&arm.setup)).collect::<Result<Vec<_>, Stop>>()?;
        let names = measures::<G>(&tables[0]);
        plan::known(&self.order.measures, &names)?;
        let mut keeper = Keeper::new(self.order.keep, &names);
        let sums = Sums::new(names, self.arms.iter().map(|arm| arm.label.clone()));
        let whole = &self.order.plan.conflicts;
        let mut part = Part::new(self.simulation.clone(), whole.start, self.order.whole, sums);
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
                if looks_at(part.sums.conflicts) && is_precise(self.order, &part.sums) {
                    part.end();
                    return ControlFlow::Break(());
                }
                if STOPPED.load(Ordering::Relaxed) {
                    break;
                }
                keeper.see(part.to(), rows);
                if let Err(stop) = out.row(part.to(), &part.sums, rows) {
                    failed = Some(stop);
                    return ControlFlow::Break(());
                }
                part.add(rows);
            }
            bar.inc(block.len() as u64);
            let stopped = STOPPED.load(Ordering::Relaxed);
            match out.note(&part, &keeper, stopped) {
                Ok(()) if stopped => ControlFlow::Break(()),
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
        let logs = match STOPPED.load(Ordering::Relaxed) {
            true => Ok(Vec::new()),
            false => keeper.logs::<G>(&self.system, self.arms, &tables, &self.order.plan, self.args),
        };
        Ok(Done { part, out, logs })
    }
}

/// Whether `--until` looks at the intervals after so many conflicts.
fn looks_at(done: u64) -> bool {
    done.is_multiple_of(FIRST_LOOK) && (done / FIRST_LOOK).is_power_of_two()
}

/// Whether the measure that matters is known as precisely as was asked, under each setting and in each
/// comparison.
fn is_precise(order: &Order, sums: &Sums) -> bool {
    let Some(most) = order.until else { return false };
    let wanted = order.measures.first().map_or("players-stand", String::as_str);
    let Some(at) = sums.measures.iter().position(|name| name == wanted) else { return false };
    // Of a number that is no share, so much of its mean.
    let most = if at <= WIN { most } else { most * sums.mean(0, at).mean.abs() };
    let reach = |mean: Mean| (mean.high - mean.mean).max(mean.mean - mean.low);
    (0..sums.arms.len()).all(|arm| reach(sums.mean(arm, at)) <= most && reach(sums.paired(arm, at)) <= most)
}
