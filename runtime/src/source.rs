//! Reading sources from disk, for the compiler, which does no IO.

use anyhow::{Context, Result, bail};
use reconverge_compiler::syntax::{Loader, NotLoaded, SourceMap};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most bytes a source file may have.
const MAX_SOURCE: u64 = 64 << 20;

/// The number of bytes at the beginning that distinguish a text, which has no zero bytes, from a
/// binary file.
const BEGINNING: usize = 1 << 13;

/// The name of a file in messages.
pub fn name(file: &Path) -> String {
    if file == Path::new("-") { "<stdin>".to_string() } else { display(file) }
}

/// The name and text of the file given on the command line.
pub fn read(file: &Path) -> Result<(String, String)> {
    let name = name(file);
    let bytes = read_bytes(file)?;
    if bytes.iter().take(BEGINNING).any(|&byte| byte == 0) {
        bail!("`{name}` is not a source: it is a binary file, or a text that is not UTF-8");
    }
    Ok((name, text(bytes)))
}

/// A source's text. Bytes that are not UTF-8, as in comments of old programs, become U+FFFD, which
/// the front end refuses wherever it has a meaning.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The text of a line of a file, by the file's name; empty if there is none.
pub fn line_text(sources: &SourceMap, file: &str, line: u32) -> String {
    let file = sources.files().find(|&other| sources.name(other) == file);
    let known = file.filter(|&file| line as usize <= sources.line_count(file));
    known.map_or(String::new(), |file| sources.line_text(file, line).trim_end().to_string())
}

/// The bytes of a file, or of standard input for `-`.
pub fn read_bytes(file: &Path) -> Result<Vec<u8>> {
    let context = || format!("cannot read `{}`", name(file));
    let stream: Box<dyn Read> = if file == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(std::fs::File::open(file).with_context(context)?)
    };
    let mut bytes = Vec::new();
    stream.take(MAX_SOURCE + 1).read_to_end(&mut bytes).with_context(context)?;
    if bytes.len() as u64 > MAX_SOURCE {
        bail!("`{}` is larger than {} MiB", name(file), MAX_SOURCE >> 20);
    }
    Ok(bytes)
}

/// A path with forward slashes on every system, so that outputs do not depend on it.
fn display(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Finds included files beside the including one, then in directories.
pub struct DiskLoader<'a> {
    /// The folders to search, in this order.
    pub directories: &'a [PathBuf],
}

impl Loader for DiskLoader<'_> {
    fn load(&mut self, including: &str, name: &str) -> Result<(String, String), NotLoaded> {
        let beside = Path::new(including).with_file_name(name);
        let others = self.directories.iter().map(|directory| directory.join(name));
        let paths: Vec<PathBuf> = std::iter::once(beside).chain(others).collect();
        match paths.iter().find(|path| path.is_file()) {
            Some(path) => read(path).map_err(|error| NotLoaded::Unreadable(format!("{error:#}"))),
            // A folder has no text, and a pipe or a device may have no end.
            None => Err(match paths.iter().find(|path| path.exists()) {
                Some(path) => {
                    NotLoaded::Unreadable(format!("`{}` is not an ordinary file", display(path)))
                }
                None => NotLoaded::Missing,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ordinary_files_are_included() {
        let folder =
            std::env::temp_dir().join(format!("reconverge-include-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("a/part.h")).unwrap();
        std::fs::create_dir_all(folder.join("b")).unwrap();
        std::fs::write(folder.join("b/part.h"), "int n;").unwrap();
        let load = |directories: &[&str], name: &str| {
            let directories: Vec<PathBuf> =
                directories.iter().map(|name| folder.join(name)).collect();
            DiskLoader { directories: &directories }.load("main.cu", name)
        };
        let refused =
            |found| matches!(found, Err(NotLoaded::Unreadable(why)) if why.contains("ordinary"));
        assert!(refused(load(&["a"], "part.h")));
        assert_eq!(load(&["a", "b"], "part.h").map(|(_, text)| text), Ok("int n;".to_owned()));
        assert_eq!(load(&["a"], "other.h"), Err(NotLoaded::Missing));
        if Path::new("/dev/zero").exists() {
            assert!(refused(load(&[], "/dev/zero")));
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
