//! The lock that lets one server at a time use a folder.

use std::fs::{File, Metadata, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// A folder's lock, held until it is dropped.
pub(crate) struct Lock {
    path: PathBuf,
    file: File,
    /// The database's path, and the file that was there when the lock was taken.
    database: (PathBuf, File),
}

/// Whether a folder still belongs to the holder of its lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Held {
    /// The holder still has it.
    Still,
    /// The lock file had been removed, and was put back before another program took the
    /// folder.
    Again,
    /// Another program holds the lock, or the database was replaced.
    Lost,
}

impl Lock {
    /// Locks a folder; `None` if another program has locked it.
    ///
    /// # Errors
    /// If its files cannot be opened.
    pub(crate) fn take(folder: &Path, database: &Path) -> io::Result<Option<Lock>> {
        let path = folder.join("fracas.lock");
        let Some(file) = locked(&path)? else { return Ok(None) };
        Ok(Some(Lock { path, file, database: (database.to_owned(), File::open(database)?) }))
    }

    /// Checks whether the folder still belongs to this holder. A lock file that was removed
    /// is put back.
    pub(crate) fn check(&mut self) -> Held {
        let (path, file) = &self.database;
        if !is_at(file, path) {
            return Held::Lost;
        }
        if is_at(&self.file, &self.path) {
            return Held::Still;
        }
        match locked(&self.path) {
            Ok(Some(file)) => {
                self.file = file;
                Held::Again
            }
            Ok(None) | Err(_) => Held::Lost,
        }
    }
}

/// Opens and locks a file; `None` if another program has locked it.
fn locked(path: &Path) -> io::Result<Option<File>> {
    loop {
        let file = File::create(path)?;
        match file.try_lock() {
            // The file may have been removed in between: then its lock keeps nobody out.
            Ok(()) if is_at(&file, path) => return Ok(Some(file)),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

/// Whether this path still leads to this file.
fn is_at(file: &File, path: &Path) -> bool {
    matches!((file.metadata(), path.metadata()), (Ok(open), Ok(there)) if same(&open, &there))
}

#[cfg(unix)]
fn same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Where the system gives files no identity, a file of this name is enough.
#[cfg(not(unix))]
fn same(_: &Metadata, _: &Metadata) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_lock_file_that_is_removed_is_put_back_unless_another_was_quicker() {
        let folder = tempfile::tempdir().expect("a folder");
        let (database, lock) = (folder.path().join("a.db"), folder.path().join("fracas.lock"));
        std::fs::write(&database, "").expect("a file");
        let take = || Lock::take(folder.path(), &database).expect("it is there");
        let mut ours = take().expect("nobody has it");
        assert!(take().is_none());
        assert_eq!(ours.check(), Held::Still);
        std::fs::remove_file(&lock).expect("removed");
        assert_eq!(ours.check(), Held::Again);
        assert_eq!(ours.check(), Held::Still);
        assert!(take().is_none(), "it keeps others out again");
        std::fs::remove_file(&lock).expect("removed");
        let theirs = take().expect("they were quicker");
        assert_eq!(ours.check(), Held::Lost);
        drop(theirs);
        assert_eq!(ours.check(), Held::Again);
        std::fs::rename(&database, folder.path().join("b.db")).expect("renamed");
        assert_eq!(ours.check(), Held::Lost, "the database is gone");
        std::fs::write(&database, "").expect("a file");
        assert_eq!(ours.check(), Held::Lost, "it is another one");
    }
}
