//! Reading long texts, so that tables keep running meanwhile.

use tokio::sync::Semaphore;

/// Permits for reading papers and other texts: few at once.
pub(crate) static READ: Semaphore = Semaphore::const_new(2);
