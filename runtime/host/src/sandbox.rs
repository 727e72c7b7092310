//! A host program's access to its surroundings: standard input and some folders.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Set while a program waits for standard input of this process: a person may be typing.
pub static WAITS_FOR_INPUT: AtomicBool = AtomicBool::new(false);

/// Standard input and files of a program. Without any: no input, and every `fopen` fails.
#[derive(Clone, Debug, Default)]
pub struct Sandbox {
    /// Standard input.
    pub input: Input,
    /// The start of relative file names.
    pub directory: PathBuf,
    /// Folders below which files may be read and written.
    pub allowed: Vec<PathBuf>,
    /// Files may only be read.
    pub read_only: bool,
    /// The reason to refuse all files, if there is one.
    pub closed: Option<&'static str>,
}

/// The source of standard input.
#[derive(Clone, Debug, Default)]
pub enum Input {
    /// Nowhere: it ends at once.
    #[default]
    Empty,
    /// These bytes.
    Text(Vec<u8>),
    /// That of this process.
    System,
}
