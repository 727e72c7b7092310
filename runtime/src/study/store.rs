//! The store: a folder with one file per point, named by the point's identity.
//!
//! Each file is written under a temporary name and renamed, so it appears whole. Its first field is
//! the checksum of the rest, and its provenance has to give the identity in its name, so damage is
//! found when it is read. A process that runs a point holds a lock on `IDENTITY.lock`. The system
//! releases the lock when the process ends, so several processes share a store and its work.

use super::point::{Outcome, SCHEMA};
use super::provenance::digest;
use super::whole_file;
use anyhow::{Context, Result};
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A folder with points.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// A point's file.
pub enum Stored {
    /// There is no file.
    Missing,
    /// The file is damaged.
    Corrupt(Corrupt),
    /// The point's outcome.
    Whole(Box<Outcome>),
}

/// A damaged file of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corrupt {
    /// The file.
    pub path: PathBuf,
    /// Its fault, after the file's name.
    pub why: String,
}

impl std::fmt::Display for Corrupt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` {}", self.path.display(), self.why)
    }
}

/// A store's answer to a request to run a point.
pub enum Entry {
    /// The store has its outcome.
    Done(Box<Outcome>),
    /// Another process runs it.
    Taken,
    /// This process may run it while the lease lives. A damaged file of the point will be replaced.
    Free(Lease, Option<Corrupt>),
}

/// The right to run a point.
pub struct Lease {
    /// Holds the lock.
    _lock: File,
    path: PathBuf,
}

impl Drop for Lease {
    fn drop(&mut self) {
        // One that stays is taken over by the next process.
        let _ = fs::remove_file(&self.path);
    }
}

impl Store {
    /// The store in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn open(folder: &Path) -> Result<Store> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the store `{}`", folder.display()))?;
        Ok(Store { folder: folder.to_owned() })
    }

    fn path(&self, identity: &str, ending: &str) -> PathBuf {
        self.folder.join(format!("{identity}.{ending}"))
    }

    /// Reads a point and checks its file.
    pub fn get(&self, identity: &str) -> Stored {
        let path = self.path(identity, "json");
        match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Stored::Missing,
            Err(error) => {
                let why = format!("cannot be read: {error}");
                Stored::Corrupt(Corrupt { path, why })
            }
            Ok(bytes) => match read(&bytes, identity) {
                Ok(outcome) => Stored::Whole(Box::new(outcome)),
                Err(why) => Stored::Corrupt(Corrupt { path, why }),
            },
        }
    }

    /// Takes a point to run; `fresh` ignores a stored outcome.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn take(&self, identity: &str, fresh: bool) -> Result<Entry> {
        if !fresh && let Stored::Whole(found) = self.get(identity) {
            return Ok(Entry::Done(found));
        }
        let path = self.path(identity, "lock");
        let wrong = || format!("cannot write `{}`", path.display());
        let lock = File::options().create(true).append(true).open(&path).with_context(wrong)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(Entry::Taken),
            Err(TryLockError::Error(error)) => return Err(error).with_context(wrong),
        }
        let lease = Lease { _lock: lock, path };
        if fresh {
            return Ok(Entry::Free(lease, None));
        }
        // Another process may have finished the point before this one had the lock.
        Ok(match self.get(identity) {
            Stored::Whole(found) => Entry::Done(found),
            Stored::Missing => Entry::Free(lease, None),
            Stored::Corrupt(corrupt) => Entry::Free(lease, Some(corrupt)),
        })
    }

    /// Stores a point.
    ///
    /// # Errors
    /// It cannot be written; nothing is left of it then.
    pub fn put(&self, identity: &str, outcome: &Outcome) -> Result<()> {
        let text = serde_json::to_string_pretty(outcome)? + "\n";
        whole_file::write(&self.path(identity, "json"), sealed(&text).as_bytes())
    }
}

/// A JSON object begins with this.
const OPENING: &str = "{\n";
/// The text before and after the checksum, which is the object's first field.
const CHECKSUM: (&str, &str) = ("{\n  \"checksum\": \"", "\",\n");

/// Puts the checksum of a JSON object's fields in front of them.
fn sealed(object: &str) -> String {
    let fields = object.strip_prefix(OPENING).unwrap_or(object);
    format!("{}{}{}{fields}", CHECKSUM.0, digest(fields.as_bytes()), CHECKSUM.1)
}

/// Reads a sealed outcome of a point.
///
/// # Errors
/// The fault of the file, after its name.
fn read(bytes: &[u8], identity: &str) -> Result<Outcome, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "is not UTF-8 text")?;
    let (checksum, fields) = text
        .strip_prefix(CHECKSUM.0)
        .and_then(|rest| rest.split_once(CHECKSUM.1))
        .ok_or("has no checksum")?;
    if checksum != digest(fields.as_bytes()) {
        return Err("does not have the contents that its checksum was made of".to_owned());
    }
    let outcome: Outcome =
        serde_json::from_str(text).map_err(|error| format!("is not a point: {error}"))?;
    if !outcome.is_readable() {
        return Err(format!("has schema {}; this version reads {SCHEMA}", outcome.schema));
    }
    let of = outcome.provenance.identity();
    if of != identity {
        return Err(format!("holds the point {of}"));
    }
    Ok(outcome)
}
