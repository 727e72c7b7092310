//! What a host program sees of the world around it: standard input and some folders.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Set while a program waits for standard input of this process: a person may be typing.
pub static WAITS_FOR_INPUT: AtomicBool = AtomicBool::new(false);

/// Standard input and files of a program. Without any: no input, and every `fopen` fails.
#[derive(Clone, Debug, Default)]
pub struct Sandbox {
    /// Standard input.
    pub input: Input,
    /// Where relative names of files start.
    pub directory: PathBuf,
    /// Folders below which files may be read and written.
    pub allowed: Vec<PathBuf>,
    /// Files may only be read.
    pub read_only: bool,
    /// Why no file may be opened, whatever its name, if that is so.
    pub closed: Option<&'static str>,
}

/// Where standard input comes from.
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
