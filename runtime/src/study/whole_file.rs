//! Files that appear whole or not at all, also when the process is killed or the disk is full.

use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Writes a file under a temporary name beside it, and renames it.
///
/// # Errors
/// It cannot be written; an older file stays as it is, and no temporary file is left.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(format!(".part-{}", std::process::id()));
    let done = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
    done.with_context(|| format!("cannot write `{}`", path.display())).inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}
