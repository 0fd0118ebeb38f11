//! Whose a folder is: one server's at a time.

use std::{
    fs::{File, Metadata, TryLockError},
    io,
    path::{Path, PathBuf},
};

/// A folder's lock, held for as long as this is there.
pub(crate) struct Lock {
    path: PathBuf,
    file: File,
    /// The database, and the file that it was when the lock was taken.
    database: (PathBuf, File),
}

/// Whether a folder is still its holder's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Held {
    /// It is.
    Still,
    /// The lock file had been removed, and was put back before anybody took the folder.
    Again,
    /// It is not: another holds it, or the database there is another file.
    Lost,
}

impl Lock {
    /// Takes a folder; `None` where another has it.
    ///
    /// # Errors
    /// Where its files cannot be opened.
    pub(crate) fn take(folder: &Path, database: &Path) -> io::Result<Option<Lock>> {
        let path = folder.join("fracas.lock");
        let Some(file) = locked(&path)? else { return Ok(None) };
        Ok(Some(Lock { path, file, database: (database.to_owned(), File::open(database)?) }))
    }

    /// Whether the folder is still this holder's. A lock file that somebody removed is
    /// put back.
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

/// The file of this name, locked; `None` where another has locked it.
fn locked(path: &Path) -> io::Result<Option<File>> {
    loop {
        let file = File::create(path)?;
        match file.try_lock() {
            // Somebody may have removed it in between: then it keeps nobody out.
            Ok(()) if is_at(&file, path) => return Ok(Some(file)),
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

/// Whether the file of this name is this one.
fn is_at(file: &File, path: &Path) -> bool {
    matches!((file.metadata(), path.metadata()), (Ok(one), Ok(other)) if same(&one, &other))
}

#[cfg(unix)]
fn same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Where the system does not say which file it is, it is enough that there is one.
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
