//! Where the lines of a log are stored.

use crate::log::MAX_LOG;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Stores the lines of one log.
pub trait Store: Send {
    /// The log's name in errors: its file.
    fn name(&self) -> String;

    /// Reads every line. An unfinished last line was never acknowledged and is cut off for
    /// good.
    ///
    /// # Errors
    /// If it cannot be read or cut.
    fn read(&mut self) -> io::Result<Contents>;

    /// Appends lines, each with its newline. They are durable when this returns.
    ///
    /// # Errors
    /// If they cannot be made durable. None of them is kept then, and they can be appended
    /// again.
    fn append(&mut self, lines: &str) -> io::Result<()>;
}

/// The content of a store.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contents {
    /// The whole lines.
    pub text: String,
    /// Bytes of an unfinished last line that were cut off.
    pub cut: usize,
}

/// A line that is not UTF-8.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("line {line} is not text (UTF-8)")]
pub(crate) struct NoText {
    /// The line, from 1.
    pub(crate) line: usize,
}

/// Splits the bytes into whole lines and the length of an unfinished last line.
pub(crate) fn whole_lines(mut bytes: Vec<u8>) -> io::Result<Contents> {
    let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let cut = bytes.len() - whole;
    bytes.truncate(whole);
    let text = String::from_utf8(bytes).map_err(|e| {
        let good = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = good.iter().filter(|&&b| b == b'\n').count() + 1;
        io::Error::new(io::ErrorKind::InvalidData, NoText { line })
    })?;
    Ok(Contents { text, cut })
}

/// A log in a file of its own, locked while it is open.
#[derive(Debug)]
pub struct FileStore {
    path: PathBuf,
    disk: Tail<File>,
}

impl FileStore {
    /// Creates a file that only its owner can read.
    ///
    /// # Errors
    /// If it exists already or cannot be created.
    pub fn create(path: impl Into<PathBuf>) -> io::Result<FileStore> {
        let path = path.into();
        let mut options = OpenOptions::new();
        options.read(true).append(true).create_new(true);
        // A log holds every secret of its table.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path)?;
        lock(&file)?;
        file.sync_all()?;
        sync_folder(&path)?;
        Ok(FileStore { path, disk: Tail { disk: file, len: 0, torn: false } })
    }

    /// Opens an existing file.
    ///
    /// # Errors
    /// If it does not exist, another program has it open, or it is too large.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<FileStore> {
        let path = path.into();
        let file = OpenOptions::new().read(true).append(true).open(&path)?;
        lock(&file)?;
        let len = file.metadata()?.len();
        too_large(len)?;
        Ok(FileStore { path, disk: Tail { disk: file, len, torn: false } })
    }

    /// Reads a log without opening it for play: it is neither locked nor cut.
    ///
    /// # Errors
    /// If it cannot be read, or is too large.
    pub fn look(path: impl AsRef<Path>) -> io::Result<Contents> {
        let mut file = File::open(path)?;
        too_large(file.metadata()?.len())?;
        let mut bytes = Vec::new();
        Read::by_ref(&mut file).take(MAX_LOG + 1).read_to_end(&mut bytes)?;
        too_large(bytes.len() as u64)?;
        whole_lines(bytes)
    }
}

fn too_large(len: u64) -> io::Result<()> {
    if len > MAX_LOG {
        let message = format!("{} MB; a log has at most {} MB", len >> 20, MAX_LOG >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(())
}

fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(io::Error::new(
            io::ErrorKind::ResourceBusy,
            "another Fracas has this table open: close it there first",
        )),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Makes a new file's directory entry durable.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// How every log begins.
const HEAD: &str = "{\"seq\":0,";

impl Store for FileStore {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn read(&mut self) -> io::Result<Contents> {
        let mut bytes = Vec::new();
        let file = &mut self.disk.disk;
        file.seek(SeekFrom::Start(0))?;
        Read::by_ref(file).take(MAX_LOG + 1).read_to_end(&mut bytes)?;
        too_large(bytes.len() as u64)?;
        let len = bytes.len() as u64;
        let contents = whole_lines(bytes)?;
        self.disk.len = len - contents.cut as u64;
        // A file that is no log is not cut: it may be somebody's notes.
        let is_log = contents.text.starts_with(HEAD);
        if contents.cut > 0 && is_log {
            self.disk.torn = true;
            self.disk.mend()?;
        }
        Ok(contents)
    }

    fn append(&mut self, lines: &str) -> io::Result<()> {
        self.disk.append(lines.as_bytes())
    }
}

/// The file operations used here; a test's file can fail at will.
trait Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
    fn sync(&mut self) -> io::Result<()>;
    fn cut(&mut self, len: u64) -> io::Result<()>;
}

impl Disk for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        self.set_len(len)
    }
}

/// The end of a file. An append is written there completely or not at all.
#[derive(Debug)]
struct Tail<D> {
    disk: D,
    /// The length of the file up to its last complete append.
    len: u64,
    /// Whether an incomplete append may follow `len`.
    torn: bool,
}

impl<D: Disk> Tail<D> {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.torn {
            self.mend()?;
        }
        self.torn = true;
        match self.disk.write(bytes).and_then(|()| self.disk.sync()) {
            Ok(()) => {
                self.len += bytes.len() as u64;
                self.torn = false;
                Ok(())
            }
            Err(error) => {
                // If this fails too, the next append tries it first.
                let _ = self.mend();
                Err(error)
            }
        }
    }

    /// Cuts off the rest of a failed append.
    fn mend(&mut self) -> io::Result<()> {
        self.disk.cut(self.len)?;
        self.disk.sync()?;
        self.torn = false;
        Ok(())
    }
}

/// A log in memory, for tests and for tables that need not last.
///
/// Clones share the lines, so that one can outlive the table.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore(Arc<Mutex<Vec<u8>>>);

impl MemoryStore {
    /// No lines yet.
    pub fn new() -> MemoryStore {
        MemoryStore::default()
    }

    /// A store that holds these bytes.
    pub fn holding(bytes: impl Into<Vec<u8>>) -> MemoryStore {
        MemoryStore(Arc::new(Mutex::new(bytes.into())))
    }

    /// The bytes of the store.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Store for MemoryStore {
    fn name(&self) -> String {
        "memory".to_owned()
    }

    fn read(&mut self) -> io::Result<Contents> {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let contents = whole_lines(bytes.clone())?;
        let whole = bytes.len() - contents.cut;
        bytes.truncate(whole);
        Ok(contents)
    }

    fn append(&mut self, lines: &str) -> io::Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(lines.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with room for `room` bytes, and whether it can cut and sync.
    #[derive(Default)]
    struct Small {
        bytes: Vec<u8>,
        room: usize,
        no_sync: bool,
        no_cut: bool,
    }

    impl Disk for Small {
        fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
            let fits = bytes.len().min(self.room.saturating_sub(self.bytes.len()));
            self.bytes.extend_from_slice(&bytes[..fits]);
            if fits < bytes.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }

        fn sync(&mut self) -> io::Result<()> {
            if self.no_sync { Err(io::ErrorKind::Other.into()) } else { Ok(()) }
        }

        fn cut(&mut self, len: u64) -> io::Result<()> {
            if self.no_cut {
                return Err(io::ErrorKind::Other.into());
            }
            self.bytes.truncate(usize::try_from(len).expect("small"));
            Ok(())
        }
    }

    fn tail(room: usize) -> Tail<Small> {
        Tail { disk: Small { room, ..Small::default() }, len: 0, torn: false }
    }

    #[test]
    fn a_full_disk_leaves_no_half_line() {
        let mut tail = tail(8);
        tail.append(b"one\n").expect("room for it");
        assert!(tail.append(b"three\n").is_err());
        assert_eq!(tail.disk.bytes, b"one\n");
        tail.disk.room = 20;
        tail.append(b"three\n").expect("room now");
        assert_eq!(tail.disk.bytes, b"one\nthree\n");
    }

    #[test]
    fn what_could_not_be_synced_is_taken_away() {
        let mut tail = tail(99);
        tail.disk.no_sync = true;
        assert!(tail.append(b"one\n").is_err());
        tail.disk.no_sync = false;
        tail.append(b"two\n").expect("well again");
        assert_eq!(tail.disk.bytes, b"two\n");
    }

    #[test]
    fn a_rest_that_cannot_be_cut_is_cut_before_the_next_line() {
        let mut tail = tail(2);
        tail.disk.no_cut = true;
        assert!(tail.append(b"one\n").is_err());
        assert_eq!(tail.disk.bytes, b"on");
        tail.disk.room = 99;
        assert!(tail.append(b"one\n").is_err(), "not after half a line");
        tail.disk.no_cut = false;
        tail.append(b"one\n").expect("well again");
        assert_eq!(tail.disk.bytes, b"one\n");
    }

    #[test]
    fn a_file_is_locked_cut_and_found_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.log");
        let mut store = FileStore::create(&path).expect("new");
        assert_eq!(FileStore::create(&path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(FileStore::open(&path).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        store.append("{\"seq\":0,1}\ntwo\n").expect("room");
        drop(store);
        std::fs::write(&path, "{\"seq\":0,1}\ntwo\nth").expect("torn");
        assert_eq!(FileStore::look(&path).expect("readable").cut, 2, "looking cuts nothing");
        let mut store = FileStore::open(&path).expect("free again");
        let contents = store.read().expect("readable");
        assert_eq!(contents, Contents { text: "{\"seq\":0,1}\ntwo\n".to_owned(), cut: 2 });
        store.append("three\n").expect("room");
        assert_eq!(std::fs::read(&path).expect("there"), b"{\"seq\":0,1}\ntwo\nthree\n");
    }

    #[test]
    fn nothing_is_cut_off_a_file_that_is_no_log() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "buy salt\nand la").expect("notes");
        let mut store = FileStore::open(&path).expect("a file");
        assert_eq!(store.read().expect("readable").cut, 6);
        assert_eq!(std::fs::read(&path).expect("there"), b"buy salt\nand la");
    }

    #[test]
    fn a_file_that_is_too_large_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("t.log");
        File::create(&path).and_then(|f| f.set_len(MAX_LOG + 1)).expect("a sparse file");
        assert_eq!(FileStore::open(&path).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(FileStore::look(&path).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn bytes_that_are_no_text_are_named_by_line() {
        let error = whole_lines(b"one\nt\xffo\nthree\n".to_vec()).unwrap_err();
        assert_eq!(error.to_string(), "line 2 is not text (UTF-8)");
    }
}
