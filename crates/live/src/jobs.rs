//! Work that takes a while, beside play: one job after the other, on a thread of low priority.

use crate::take_in::aside;
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// The most results that are kept.
const KEPT: usize = 64;
/// The most jobs of a kind that wait for their turn.
const WAITING: usize = 8;

/// Jobs of a kind, each by the key of what it is about. They take turns.
pub(crate) struct Jobs<K, T> {
    turn: Arc<Semaphore>,
    jobs: Mutex<HashMap<K, Arc<Job<T>>>>,
}

/// The work on a subject as it was then.
pub(crate) struct Job<T> {
    version: u64,
    /// The subject has changed, and nobody waits for the result.
    given_up: AtomicBool,
    step: Mutex<Step>,
    result: Mutex<Option<Result<Arc<T>, String>>>,
}

/// How far a job is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Step {
    /// What is being done, in a few words; empty before it begins.
    pub doing: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// How much there is.
    pub of: u64,
}

/// What came of a job so far.
#[derive(Clone, Debug)]
pub enum Progress<T> {
    /// It is being done.
    Working(Step),
    /// It is done.
    Done(Arc<T>),
    /// It cannot be done, and why.
    Failed(String),
    /// Too many others wait.
    Busy,
}

impl<K, T> Default for Jobs<K, T> {
    fn default() -> Jobs<K, T> {
        Jobs { turn: Arc::new(Semaphore::new(1)), jobs: Mutex::default() }
    }
}

impl<K: Hash + Eq, T: Send + Sync + 'static> Jobs<K, T> {
    /// What came of the work on a subject in its version of now. Where there is none yet, it begins; work on an
    /// earlier version is given up.
    pub(crate) fn ask(
        &self,
        key: K,
        version: u64,
        work: impl FnOnce(&Job<T>) -> Result<T, String> + Send + 'static,
    ) -> Progress<T> {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = jobs.get(&key).filter(|job| job.version == version) {
            return job.progress();
        }
        if jobs.values().filter(|job| !job.is_done()).count() >= WAITING {
            return Progress::Busy;
        }
        if jobs.len() >= KEPT {
            jobs.retain(|_, job| !job.is_done());
        }
        let job = Arc::new(Job {
            version,
            given_up: AtomicBool::new(false),
            step: Mutex::default(),
            result: Mutex::new(None),
        });
        if let Some(before) = jobs.insert(key, job.clone()) {
            before.given_up.store(true, Ordering::Relaxed);
        }
        let turn = self.turn.clone();
        tokio::spawn(async move {
            let _turn = turn.acquire().await;
            let working = job.clone();
            if aside(move || working.finish(work(&working))).await.is_err() {
                job.finish(Err("it could not be worked out here".to_owned()));
            }
        });
        Progress::Working(Step::default())
    }
}

impl<T> Job<T> {
    /// Says how far the job is. Breaks where nobody waits for it any more.
    pub(crate) fn at(&self, doing: &'static str, done: u64, of: u64) -> ControlFlow<()> {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) = Step { doing, done, of };
        match self.given_up.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn progress(&self) -> Progress<T> {
        match &*self.result.lock().unwrap_or_else(PoisonError::into_inner) {
            None => Progress::Working(*self.step.lock().unwrap_or_else(PoisonError::into_inner)),
            Some(Ok(result)) => Progress::Done(result.clone()),
            Some(Err(why)) => Progress::Failed(why.clone()),
        }
    }

    fn is_done(&self) -> bool {
        self.result.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn finish(&self, result: Result<T, String>) {
        *self.result.lock().unwrap_or_else(PoisonError::into_inner) = Some(result.map(Arc::new));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// The result of a job that ends soon.
    async fn result(jobs: &Jobs<u8, u64>, key: u8, version: u64) -> u64 {
        for _ in 0..400 {
            match jobs.ask(key, version, move |_| Ok(version * 10)) {
                Progress::Done(found) => return *found,
                Progress::Failed(why) => panic!("{why}"),
                _ => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
        panic!("no end of {key} in version {version}");
    }

    #[tokio::test]
    async fn a_result_is_of_the_version_that_was_asked_for() {
        let jobs = Jobs::default();
        assert_eq!(result(&jobs, 1, 3).await, 30);
        assert_eq!(result(&jobs, 1, 4).await, 40);
        assert_eq!(result(&jobs, 2, 3).await, 30);
    }

    #[tokio::test]
    async fn work_on_an_earlier_version_is_given_up() {
        let jobs: Jobs<u8, u64> = Jobs::default();
        jobs.ask(1, 1, |job| {
            while job.at("waiting", 0, 1).is_continue() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Err("given up".to_owned())
        });
        assert_eq!(result(&jobs, 1, 2).await, 20);
    }

    #[tokio::test]
    async fn a_job_that_panics_has_failed() {
        let jobs: Jobs<u8, u64> = Jobs::default();
        for _ in 0..400 {
            match jobs.ask(1, 1, |_| panic!("as it should")) {
                Progress::Failed(_) => return,
                _ => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
        panic!("it still works");
    }

    #[tokio::test]
    async fn of_many_jobs_the_last_are_told_to_come_again() {
        let jobs: Jobs<u8, u64> = Jobs { turn: Arc::new(Semaphore::new(0)), ..Jobs::default() };
        for key in 0..8 {
            assert!(matches!(jobs.ask(key, 1, |_| Ok(1)), Progress::Working(_)));
        }
        assert!(matches!(jobs.ask(8, 1, |_| Ok(1)), Progress::Busy));
        assert!(matches!(jobs.ask(7, 1, |_| Ok(1)), Progress::Working(_)), "it waits already");
    }
}
