//! The files that a program has open, and where it may open any.

use super::sandbox::{Input, Sandbox};
use super::stream::{FILE_LIMIT, Mode, Stream};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

/// The most files that are open at a time.
const OPEN_LIMIT: usize = 256;

/// C's error numbers.
pub mod errno {
    /// No such file or directory.
    pub const ENOENT: i32 = 2;
    /// Input/output error.
    pub const EIO: i32 = 5;
    /// Out of memory.
    pub const ENOMEM: i32 = 12;
    /// Permission denied.
    pub const EACCES: i32 = 13;
    /// Is a directory.
    pub const EISDIR: i32 = 21;
    /// Invalid argument.
    pub const EINVAL: i32 = 22;
    /// Too many open files.
    pub const EMFILE: i32 = 24;
    /// File too large.
    pub const EFBIG: i32 = 27;
    /// Numerical result out of range.
    pub const ERANGE: i32 = 34;
}

/// Why a file cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// C's number for it.
    pub errno: i32,
    /// A note for the user of the program, shown once.
    pub note: Option<String>,
}

impl Refusal {
    fn quiet(errno: i32) -> Refusal {
        Refusal { errno, note: None }
    }
}

/// Open files by the value of their `FILE *`.
#[derive(Debug)]
pub struct Files {
    input: Stream,
    open: BTreeMap<u32, Stream>,
    directory: PathBuf,
    /// Folders without links and dots in their names.
    allowed: Vec<PathBuf>,
    read_only: bool,
    /// Why none may be opened.
    closed: Option<&'static str>,
    /// Names of which was noted that they are out of bounds.
    noted: BTreeSet<String>,
}

impl Files {
    /// No open files, in this sandbox. Allowed folders that do not exist allow nothing.
    pub fn new(sandbox: &Sandbox) -> Files {
        let canonical = |folder: &PathBuf| fs::canonicalize(or_here(folder)).ok();
        Files {
            input: match &sandbox.input {
                Input::Empty => Stream::of_bytes(Vec::new()),
                Input::Text(bytes) => Stream::of_bytes(bytes.clone()),
                Input::System => Stream::of_system_input(),
            },
            open: BTreeMap::new(),
            directory: sandbox.directory.clone(),
            allowed: sandbox.allowed.iter().filter_map(canonical).collect(),
            read_only: sandbox.read_only,
            closed: sandbox.closed,
            noted: BTreeSet::new(),
        }
    }

    /// Standard input.
    pub fn input(&mut self) -> &mut Stream {
        &mut self.input
    }

    /// An open file.
    pub fn get(&mut self, file: u32) -> Option<&mut Stream> {
        self.open.get_mut(&file)
    }

    /// Keeps an opened file under the value of its `FILE *`.
    pub fn insert(&mut self, file: u32, stream: Stream) {
        self.open.insert(file, stream);
    }

    /// Closes a file; whether all that was written has arrived, none when it is not open.
    pub fn close(&mut self, file: u32) -> Option<bool> {
        Some(self.open.remove(&file)?.flush())
    }

    /// Brings everything that was written to the disk; false when something fails.
    pub fn flush(&mut self) -> bool {
        let mut good = true;
        for stream in self.open.values_mut() {
            good &= stream.flush();
        }
        good
    }

    /// Opens a file, if the program may.
    ///
    /// # Errors
    /// C's number for the error.
    pub fn open(&mut self, name: &[u8], mode: &[u8]) -> Result<Stream, Refusal> {
        let mode = Mode::of(mode).ok_or(Refusal::quiet(errno::EINVAL))?;
        let name = std::str::from_utf8(name).map_err(|_| Refusal::quiet(errno::ENOENT))?;
        if let Some(why) = self.closed {
            // Checked before any lookup, so the refusal does not reveal if the file exists.
            return Err(self.noted(name, errno::EACCES, why.to_owned()));
        }
        if self.open.len() >= OPEN_LIMIT {
            return Err(self.noted(name, errno::EMFILE, format!("{OPEN_LIMIT} files are open")));
        }
        if self.read_only && (mode.write || mode.append || mode.create || mode.truncate) {
            let why = "the program runs several times at once; it may only read files";
            return Err(self.noted(name, errno::EACCES, why.to_owned()));
        }
        let path = self.resolve(name)?;
        if let Ok(found) = fs::metadata(&path)
            && !found.is_file()
        {
            let error = if found.is_dir() { errno::EISDIR } else { errno::EACCES };
            return Err(Refusal::quiet(error));
        }
        let mut options = OpenOptions::new();
        // A file in append mode is read too: its contents are kept in memory.
        options.read(mode.read || mode.append).write(mode.write);
        options.create(mode.create).truncate(mode.truncate);
        let opened = options.open(&path).and_then(|file| Stream::of_file(file, mode));
        opened.map_err(|error| match error.kind() {
            std::io::ErrorKind::FileTooLarge => {
                let why = format!("it is larger than {} MiB", FILE_LIMIT >> 20);
                self.noted(name, errno::EFBIG, why)
            }
            _ => Refusal::quiet(error.raw_os_error().unwrap_or(errno::EIO)),
        })
    }

    /// A refusal that is explained the first time.
    fn noted(&mut self, name: &str, errno: i32, why: String) -> Refusal {
        let first = self.noted.insert(name.to_owned());
        let note = first.then(|| format!("note: the program cannot open `{name}`: {why}\n"));
        Refusal { errno, note }
    }

    /// The file that a name means, with neither links nor dots in its folder.
    fn resolve(&mut self, name: &str) -> Result<PathBuf, Refusal> {
        let path = self.directory.join(name);
        let found = match fs::canonicalize(&path) {
            Ok(found) => found,
            // A link to a missing file leads anywhere.
            Err(_) if fs::symlink_metadata(&path).is_ok() => {
                return Err(Refusal::quiet(errno::EACCES));
            }
            Err(_) => {
                let missing = || Refusal::quiet(errno::ENOENT);
                let folder = or_here(path.parent().ok_or_else(missing)?).to_path_buf();
                let folder = fs::canonicalize(folder).map_err(|_| missing())?;
                folder.join(path.file_name().ok_or_else(missing)?)
            }
        };
        if self.allowed.iter().any(|folder| found.starts_with(folder)) {
            return Ok(found);
        }
        let why = "it is not below the program's folder; \
                   `--allow-dir DIR` lets it use the files below DIR";
        Err(self.noted(name, errno::EACCES, why.to_owned()))
    }
}

/// The empty path means the current folder.
fn or_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fresh folder with `inside` to be allowed, and `outside.txt` beside it.
    fn folders(name: &str) -> (PathBuf, Files) {
        let root = std::env::temp_dir().join(format!("reconverge-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let inside = root.join("inside");
        fs::create_dir_all(inside.join("deeper")).unwrap();
        fs::write(root.join("outside.txt"), "secret").unwrap();
        let sandbox =
            Sandbox { directory: inside.clone(), allowed: vec![inside], ..Sandbox::default() };
        (root, Files::new(&sandbox))
    }

    #[test]
    fn files_are_written_and_read() {
        let (root, mut files) = folders("files");
        let mut stream = files.open(b"deeper/../a.txt", b"w+").unwrap();
        assert!(stream.write(b"one\ntwo") && stream.seek(4, 0));
        assert_eq!(stream.read(10), b"two");
        assert!(stream.at_end && stream.seek(2, 2) && stream.write(b"!"));
        assert!(stream.flush());
        assert_eq!(fs::read(root.join("inside/a.txt")).unwrap(), b"one\ntwo\0\0!");
        let mut stream = files.open(b"a.txt", b"ab").unwrap();
        assert!(stream.seek(0, 0) && stream.write(b"end") && stream.flush());
        assert_eq!(fs::read(root.join("inside/a.txt")).unwrap(), b"one\ntwo\0\0!end");
        assert_eq!(files.open(b"b.txt", b"r").unwrap_err(), Refusal::quiet(errno::ENOENT));
        assert_eq!(files.open(b"deeper", b"r").unwrap_err(), Refusal::quiet(errno::EISDIR));
        assert_eq!(files.open(b"a.txt", b"q").unwrap_err(), Refusal::quiet(errno::EINVAL));
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn nothing_outside_can_be_opened() {
        let (root, mut files) = folders("outside");
        let outside = root.join("outside.txt");
        let absolute = outside.to_str().unwrap().to_owned();
        for name in ["../outside.txt", "deeper/../../outside.txt", &absolute, "../new.txt"] {
            for mode in [&b"r"[..], b"w", b"a+"] {
                let refusal = files.open(name.as_bytes(), mode).unwrap_err();
                assert_eq!(refusal.errno, errno::EACCES, "{name}");
                // The note appears once for each name.
                assert_eq!(refusal.note.is_some(), mode == b"r");
            }
        }
        let refusal = files.noted("x", 1, "because".to_owned());
        assert_eq!(refusal.note.unwrap(), "note: the program cannot open `x`: because\n");
        assert_eq!(fs::read(outside).unwrap(), b"secret");
        assert!(!root.join("new.txt").exists());
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_closed_sandbox_has_no_files() {
        let (root, _) = folders("closed");
        let inside = root.join("inside");
        fs::write(inside.join("a.txt"), "a").unwrap();
        let sandbox = Sandbox {
            directory: inside.clone(),
            allowed: vec![inside],
            closed: Some("there are none"),
            ..Sandbox::default()
        };
        let mut files = Files::new(&sandbox);
        for name in ["a.txt", "b.txt", "/etc/passwd", ".."] {
            let refusal = files.open(name.as_bytes(), b"r").unwrap_err();
            assert_eq!(refusal.errno, errno::EACCES);
            let note = format!("note: the program cannot open `{name}`: there are none\n");
            assert_eq!(refusal.note, Some(note));
            assert_eq!(files.open(name.as_bytes(), b"w").unwrap_err().note, None);
        }
        assert!(!root.join("inside/b.txt").exists());
        fs::remove_dir_all(root).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out() {
        use std::os::unix::fs::symlink;
        let (root, mut files) = folders("links");
        symlink(root.join("outside.txt"), root.join("inside/file")).unwrap();
        symlink(root.join("nothing.txt"), root.join("inside/dangling")).unwrap();
        symlink(&root, root.join("inside/folder")).unwrap();
        for name in ["file", "dangling", "folder/outside.txt", "folder/new.txt"] {
            for mode in [&b"r"[..], b"w", b"a"] {
                assert_eq!(files.open(name.as_bytes(), mode).unwrap_err().errno, errno::EACCES);
            }
        }
        assert_eq!(fs::read(root.join("outside.txt")).unwrap(), b"secret");
        assert!(!root.join("nothing.txt").exists());
        fs::remove_dir_all(root).unwrap();
    }
}
