//! How many files the system lets the server have open: each connection is one.

/// Files that are no connections: the database with its readers, webhooks, what is
/// printed, and whoever reads what the server counts of itself.
const OTHERS: usize = 128;

/// The most connections for which there are files, after as many as the system allows
/// were asked for; `None` where it counts none.
pub(crate) fn room_for_connections() -> Option<usize> {
    most().map(beside_others)
}

/// Of so many files, those for connections: half of them where there are few.
fn beside_others(files: usize) -> usize {
    files.saturating_sub(OTHERS).max(files / 2)
}

/// Has the system allow as many files as it ever would: most begin with about a
/// thousand, for programs that know no more.
#[cfg(unix)]
fn most() -> Option<usize> {
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
fn most() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_the_rest() {
        assert_eq!(beside_others(1_024), 896);
        assert_eq!(beside_others(100), 50);
        assert!(room_for_connections().is_none_or(|most| most > 0));
        #[cfg(target_os = "linux")]
        {
            use rustix::process::{Resource, getrlimit};
            let limit = getrlimit(Resource::Nofile);
            assert_eq!(limit.current, limit.maximum, "it was raised");
        }
    }
}
