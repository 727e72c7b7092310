//! Files of public suites of CUDA programs in a directory: the files to compile, and the folders of
//! their includes.

use anyhow::{Context, Result};
use reconverge_compiler::syntax::{Loader, NotLoaded};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Looks for included files beside the including one and in directories.
pub struct Files<'a> {
    /// The directories, in the order in which they are looked through.
    pub directories: &'a [PathBuf],
}

impl Loader for Files<'_> {
    fn load(&mut self, including: &str, name: &str) -> Result<(String, String), NotLoaded> {
        let beside = Path::new(including).parent().unwrap_or(Path::new("."));
        let places = std::iter::once(beside).chain(self.directories.iter().map(PathBuf::as_path));
        for place in places {
            let path = place.join(name);
            if let Ok(bytes) = std::fs::read(&path) {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                return Ok((path.to_string_lossy().into_owned(), text));
            }
        }
        Err(NotLoaded::Missing)
    }
}

/// Every file below a directory, in order.
///
/// # Errors
/// A directory cannot be read.
pub fn files(directory: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(directory)
        .with_context(|| format!("cannot read {}", directory.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

/// The directories of headers below that of a unit, of all files of its suite.
pub fn directories_of(unit: &Path, all: &[PathBuf]) -> Vec<PathBuf> {
    let mut directories: BTreeSet<PathBuf> = BTreeSet::new();
    for file in all.iter().filter(|file| is_header(file)) {
        let near = unit.parent().is_some_and(|parent| file.starts_with(parent));
        directories.extend(file.parent().filter(|_| near).map(Path::to_path_buf));
    }
    directories.into_iter().collect()
}

/// The ending of a file's name, without the point; empty if there is none.
pub fn extension(path: &Path) -> &str {
    path.extension().and_then(|text| text.to_str()).unwrap_or("")
}

/// True if a file is compiled by itself.
pub fn is_unit(path: &Path) -> bool {
    extension(path) == "cu"
}

/// True if a file may be included.
pub fn is_header(path: &Path) -> bool {
    ["h", "hpp", "cuh", "cu", "inl", "c"].contains(&extension(path))
}
