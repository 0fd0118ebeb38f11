//! A report on an encounter, whatever its system.

use fracas_kernel::{Faults, Setup, System, Words};
use fracas_sim::Plan;
use fracas_sim::report::{Progress, Report};
use fracas_systems::Visit;
use std::ops::ControlFlow;

/// Plays an encounter many times for a page about it; `None` where `progress` says to stop.
///
/// # Errors
/// Every fault of the setup.
pub fn report(
    system: &System,
    setup: &Setup,
    plan: &Plan,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Option<Report>, Faults> {
    fracas_systems::visit(system.id, &mut Reporting { setup, plan, progress }).unwrap_or(Ok(None))
}

struct Reporting<'r> {
    setup: &'r Setup,
    plan: &'r Plan,
    progress: &'r mut dyn FnMut(Progress) -> ControlFlow<()>,
}

impl Visit for Reporting<'_> {
    type Out = Result<Option<Report>, Faults>;

    fn game<G: Words>(&mut self) -> Self::Out {
        fracas_sim::report::<G>(self.setup, self.plan, &mut *self.progress)
    }
}
