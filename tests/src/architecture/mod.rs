//! Measures the architecture: how long functions and files are, what the simulated SM consists of, and how many files
//! each recipe of CONTRIBUTING touches. The circles of imports are counted by `tests/tests/circles.rs`.

mod functions;
mod parameters;
mod report;

pub use functions::{Function, Lengths, Structure};
pub use parameters::{TupleParameter, tuple_parameters};
pub use report::{DOCUMENT, Maximum, maxima, report, stated};

use anyhow::{Context, Result, anyhow};
use std::path::{Path, PathBuf};

/// The crates whose sources are measured: name and folder.
pub const CRATES: &[(&str, &str)] = &[
    ("isa", "spec/isa/src"),
    ("math", "spec/math/src"),
    ("grammar", "compiler/grammar/src"),
    ("ptx", "compiler/ptx/src"),
    ("compiler", "compiler/src"),
    ("simulator", "simulator/src"),
    ("host", "runtime/host/src"),
    ("runtime", "runtime/src"),
    ("report", "runtime/report/src"),
    ("cli", "runtime/cli/src"),
    ("tests", "tests/src"),
];

/// A parsed file of a crate.
pub struct Source {
    /// The path below the crate's `src`, with `/`.
    pub path: String,
    /// The number of lines.
    pub lines: usize,
    /// The syntax tree; its spans know their lines.
    pub tree: syn::File,
}

impl Source {
    /// The path of the module that the file is: `["check", "expr"]`; of a crate's root it is empty.
    pub fn module(&self) -> Vec<String> {
        let path = self.path.trim_end_matches(".rs");
        let mut module: Vec<String> = path.split('/').map(str::to_string).collect();
        if module.last().is_some_and(|last| ["lib", "main", "mod"].contains(&last.as_str())) {
            module.pop();
        }
        module
    }
}

/// A crate with what is measured of it.
pub struct Measured {
    /// The crate's name without `reconverge-`.
    pub name: &'static str,
    /// The crate's files by path, generated ones left out.
    pub files: Vec<(String, usize)>,
    /// Every function with a body outside tests.
    pub functions: Vec<Function>,
    /// Every structure outside tests.
    pub structures: Vec<Structure>,
}

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Measures every crate of [`CRATES`].
///
/// # Errors
/// A file cannot be read or is not Rust.
pub fn measure() -> Result<Vec<Measured>> {
    CRATES.iter().map(|(name, folder)| measure_crate(name, &root().join(folder))).collect()
}

/// Parses the files of a folder that were written by hand, modules for tests left out.
///
/// # Errors
/// A file cannot be read or is not Rust.
pub fn sources(folder: &Path) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    read(folder, folder, &mut sources)?;
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    let tests: Vec<Vec<String>> = sources.iter().flat_map(test_modules).collect();
    sources.retain(|source| !tests.iter().any(|test| source.module().starts_with(test)));
    Ok(sources)
}

fn measure_crate(name: &'static str, folder: &Path) -> Result<Measured> {
    let sources = sources(folder)?;
    Ok(Measured {
        name,
        files: sources.iter().map(|source| (source.path.clone(), source.lines)).collect(),
        functions: sources.iter().flat_map(functions::functions).collect(),
        structures: functions::structures(&sources),
    })
}

/// Reads every Rust file below a folder that was written by hand.
fn read(root: &Path, folder: &Path, sources: &mut Vec<Source>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("reading {folder:?}"))? {
        let path = entry?.path();
        if path.is_dir() {
            read(root, &path, sources)?;
            continue;
        }
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {path:?}"))?;
        if text.starts_with("// auto-generated") {
            continue;
        }
        let tree =
            syn::parse_file(&text).map_err(|error| anyhow!("{}: {error}", path.display()))?;
        let below = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
        sources.push(Source { path: below, lines: text.lines().count(), tree });
    }
    Ok(())
}

/// The modules in other files that a file declares for tests only.
fn test_modules(source: &Source) -> Vec<Vec<String>> {
    let of = |item: &syn::Item| match item {
        syn::Item::Mod(module) if module.content.is_none() && is_for_tests(&module.attrs) => {
            Some([source.module(), vec![module.ident.to_string()]].concat())
        }
        _ => None,
    };
    source.tree.items.iter().filter_map(of).collect()
}

/// True if an item is compiled for tests only.
fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}
