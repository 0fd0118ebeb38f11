//! The system's limit on open files: each connection is one.

/// Descriptors for other uses: the database with its readers, webhooks, printed output, and
/// readers of the metrics.
const OTHERS: usize = 128;

/// The most connections that the file limit leaves room for, once it has been raised as far
/// as it goes; `None` if the system has no limit.
pub(crate) fn room_for_connections() -> Option<usize> {
    raised_limit().map(for_connections)
}

/// Connections get all but [`OTHERS`] descriptors, and at least half.
fn for_connections(files: usize) -> usize {
    files.saturating_sub(OTHERS).max(files / 2)
}

/// Raises the file limit as far as it goes: most systems start programs with about a
/// thousand.
#[cfg(unix)]
fn raised_limit() -> Option<usize> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let counted = |files: u64| usize::try_from(files).unwrap_or(usize::MAX);
    if current == maximum {
        return current.map(counted);
    }
    match setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        Ok(()) => maximum.map(counted),
        Err(error) => {
            tracing::warn!(%error, "the system allows no more open files");
            current.map(counted)
        }
    }
}

#[cfg(not(unix))]
fn raised_limit() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_the_rest() {
        assert_eq!(for_connections(1_024), 896);
        assert_eq!(for_connections(100), 50);
        assert!(room_for_connections().is_none_or(|most| most > 0));
        #[cfg(target_os = "linux")]
        {
            use rustix::process::{Resource, getrlimit};
            let limit = getrlimit(Resource::Nofile);
            assert_eq!(limit.current, limit.maximum, "it was raised");
        }
    }
}
