//! What is measured: programs, their sizes, and what their branches are like.

use anyhow::{Context, Result};
use reconverge::build::{self, Checked};
use reconverge_compiler::syntax::{Loader, NotLoaded};
use std::path::{Path, PathBuf};

/// What the divergent branches of a program have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Two sides that both have something to do.
    IfElse,
    /// One side, or loops that threads leave at different times.
    IfOnly,
    /// Hardly any.
    None,
}

impl Kind {
    /// In the tables.
    pub fn name(self) -> &'static str {
        match self {
            Kind::IfElse => "if-else",
            Kind::IfOnly => "if only",
            Kind::None => "hardly any",
        }
    }
}

use Kind::{IfElse, IfOnly, None};

/// (path below `examples` without its ending, kind, arguments): sizes that give each of 15 cores a few
/// blocks.
pub const PROGRAMS: &[(&str, Kind, &[&str])] = &[
    ("divergence/binary_search", IfElse, &["30000", "4000"]),
    ("divergence/bitonic_block", IfElse, &["45"]),
    ("divergence/classes", IfElse, &["60000"]),
    ("divergence/collatz", IfElse, &["12000"]),
    ("divergence/interpreter", IfElse, &["8000"]),
    ("divergence/julia", IfElse, &["256", "96", "64"]),
    ("divergence/queens", IfElse, &["10"]),
    ("divergence/ray_trace", IfElse, &["192", "128"]),
    ("divergence/two_sides", IfElse, &["23000"]),
    ("nested_branch", IfElse, &["8192", "24"]),
    ("divergence/back_propagation", IfOnly, &["2400"]),
    ("divergence/breadth_first", IfOnly, &["30000"]),
    ("divergence/insertion_sort", IfOnly, &["12000"]),
    ("divergence/one_side", IfOnly, &["23000"]),
    ("divergence/sorting_network", IfOnly, &["60"]),
    ("divergence/string_match", IfOnly, &["36000"]),
    ("divergence/triangular", IfOnly, &["90"]),
    ("bfs", IfOnly, &["20000", "8"]),
    ("bitonic", IfOnly, &["4096"]),
    ("mandelbrot", IfOnly, &["160", "120", "100"]),
    ("spmv", IfOnly, &["12000", "12000"]),
    ("stencil2d", IfOnly, &["256", "192", "4"]),
    ("histogram", None, &["100000"]),
    ("matmul_naive", None, &["96"]),
    ("matmul_tiled", None, &["96", "96", "96"]),
    ("reduction", None, &["100000"]),
    ("saxpy", None, &["100000"]),
    ("transpose", None, &["256", "192"]),
];

/// A program that is ready to run.
pub struct Program {
    /// Its file's name without the ending.
    pub name: &'static str,
    /// What its branches are like.
    pub kind: Kind,
    /// Its arguments, its name first.
    pub arguments: Vec<String>,
    /// The program.
    pub checked: Checked,
}

/// Reads and checks the programs whose name contains a text.
///
/// # Errors
/// A file that cannot be read, or does not compile.
pub fn programs(only: &str) -> Result<Vec<Program>> {
    let chosen = PROGRAMS.iter().filter(|(path, ..)| path.contains(only));
    chosen.map(|&(path, kind, arguments)| program(path, kind, arguments)).collect()
}

fn program(path: &'static str, kind: Kind, arguments: &[&str]) -> Result<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let file = folder.join(format!("{path}.cu"));
    let text = std::fs::read_to_string(&file).with_context(|| format!("reading {file:?}"))?;
    let mut loader = Beside(file.with_file_name(""));
    let checked = build::check(path, &text, &[], &mut loader);
    anyhow::ensure!(!checked.has_errors(), "{path}:\n{}", checked.render(false));
    let name = path.rsplit('/').next().unwrap_or(path);
    let all = std::iter::once(&name).chain(arguments);
    Ok(Program { name, kind, arguments: all.map(|word| word.to_string()).collect(), checked })
}

/// Finds what a program includes in the program's folder.
pub struct Beside(pub PathBuf);

impl Loader for Beside {
    fn load(&mut self, _: &str, name: &str) -> Result<(String, String), NotLoaded> {
        let text = std::fs::read_to_string(self.0.join(name)).map_err(|_| NotLoaded::Missing)?;
        Ok((name.to_string(), text))
    }
}
