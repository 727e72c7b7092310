//! The store: a folder with one file for each point, named by the point's identity.
//!
//! Files appear whole: they are written under another name and renamed. Who runs a point holds a lock on
//! `IDENTITY.lock`, which the system takes away when the process ends, however it ends; so several processes share
//! a store and its work.

use super::point::Outcome;
use anyhow::{Context, Result};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// A folder with points.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// What the store says of a point that someone wants to run.
pub enum Entry {
    /// It is there.
    Done(Box<Outcome>),
    /// Another process is at it.
    Taken,
    /// It is this process's now, as long as the lease lives.
    Free(Lease),
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

    /// What is stored of a point. A file that is not one, as after a full disk of an older version, counts as
    /// missing.
    pub fn get(&self, identity: &str) -> Option<Outcome> {
        let text = fs::read_to_string(self.path(identity, "json")).ok()?;
        serde_json::from_str(&text).ok().filter(Outcome::is_readable)
    }

    /// Asks for a point; `fresh` ignores what is there.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn take(&self, identity: &str, fresh: bool) -> Result<Entry> {
        if !fresh && let Some(found) = self.get(identity) {
            return Ok(Entry::Done(Box::new(found)));
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
        // It may have been finished between the look and the lock.
        match self.get(identity).filter(|_| !fresh) {
            Some(found) => Ok(Entry::Done(Box::new(found))),
            None => Ok(Entry::Free(lease)),
        }
    }

    /// Stores a point.
    ///
    /// # Errors
    /// It cannot be written; nothing is left of it then.
    pub fn put(&self, identity: &str, outcome: &Outcome) -> Result<()> {
        let text = serde_json::to_string_pretty(outcome)? + "\n";
        let part = self.path(identity, &format!("part-{}", std::process::id()));
        let path = self.path(identity, "json");
        let done = fs::write(&part, text).and_then(|()| fs::rename(&part, &path));
        done.with_context(|| format!("cannot write `{}`", path.display())).inspect_err(|_| {
            let _ = fs::remove_file(&part);
        })
    }
}
