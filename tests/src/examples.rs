//! The example programs at small, odd sizes, so that the last block is not full, each as a case.

use crate::oracle::{Case, Variant};
use anyhow::{Context, Error, Result, anyhow, ensure};
use reconverge::build;
use reconverge_compiler::syntax::{Loader, NotLoaded};
use reconverge_simulator::Statistics;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The examples: path below `examples` without its ending, and arguments.
pub const EXAMPLES: &[(&str, &[&str])] = &[
    ("bfs", &["300", "4"]),
    ("bitonic", &["512"]),
    ("histogram", &["5000"]),
    ("mandelbrot", &["37", "21", "50"]),
    ("matmul_naive", &["33"]),
    ("matmul_tiled", &["20", "35", "17"]),
    ("nested_branch", &["500", "20"]),
    ("reduction", &["3001"]),
    ("saxpy", &["1000"]),
    ("spmv", &["150", "90"]),
    ("stencil2d", &["33", "19", "3"]),
    ("transpose", &["45", "38"]),
];

/// The examples whose threads take different paths.
pub const DIVERGENT: &[(&str, &[&str])] = &[
    ("divergence/back_propagation", &["40"]),
    ("divergence/binary_search", &["300", "100"]),
    ("divergence/bitonic_block", &["1"]),
    ("divergence/breadth_first", &["300", "4"]),
    ("divergence/classes", &["500"]),
    ("divergence/collatz", &["300"]),
    ("divergence/insertion_sort", &["200"]),
    ("divergence/interpreter", &["150", "30"]),
    ("divergence/julia", &["37", "21", "20"]),
    ("divergence/one_side", &["400", "4"]),
    ("divergence/queens", &["5"]),
    ("divergence/ray_trace", &["19", "13"]),
    ("divergence/sorting_network", &["2"]),
    ("divergence/string_match", &["700"]),
    ("divergence/triangular", &["2"]),
    ("divergence/two_sides", &["400", "6"]),
];

/// Six programs that differ most: a flat grid, shared memory and barriers, atomics, scattered loads, threads that leave a
/// loop at different times, and nested branches.
pub const SIX: [&str; 6] =
    ["saxpy", "matmul_tiled", "histogram", "bfs", "mandelbrot", "nested_branch"];

/// The folder of the examples.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// The example of a path with its result.
type Known = Arc<OnceLock<Result<Arc<Case>, String>>>;

/// The examples that tests have asked for, by path.
static CASES: Mutex<BTreeMap<String, Known>> = Mutex::new(BTreeMap::new());

/// Reads, checks and interprets the example of a path, once per process.
///
/// # Errors
/// There is no such example, it does not compile, or it does not report success in the interpreter.
pub fn case(path: &str) -> Result<Arc<Case>> {
    let mut cases = CASES.lock().unwrap_or_else(PoisonError::into_inner);
    let known = cases.entry(path.to_owned()).or_default().clone();
    drop(cases);
    let case =
        known.get_or_init(|| own_case(path).map(Arc::new).map_err(|error| format!("{error:#}")));
    case.clone().map_err(Error::msg)
}

/// The case of [`case`], read anew, for tests that change it.
///
/// # Errors
/// The errors of [`case`].
pub fn own_case(path: &str) -> Result<Case> {
    let mut known = EXAMPLES.iter().chain(DIVERGENT);
    let (_, arguments) =
        known.find(|(known, _)| *known == path).ok_or_else(|| anyhow!("there is no {path}"))?;
    let file = folder().join(format!("{path}.cu"));
    let text = std::fs::read_to_string(&file).with_context(|| format!("reading {file:?}"))?;
    let mut loader = Beside(file.with_file_name(""));
    let checked = build::check(&format!("{path}.cu"), &text, &[], &mut loader);
    let case = Case::program(checked, arguments).map_err(|error| anyhow!("{path}: {error}"))?;
    ensure!(case.expected().output.contains("PASS"), "{path} does not pass");
    ensure!(!case.expected().launches.is_empty(), "{path} launches nothing");
    Ok(case)
}

/// Finds a program's includes in the program's folder.
pub struct Beside(pub PathBuf);

impl Loader for Beside {
    fn load(&mut self, _: &str, name: &str) -> Result<(String, String), NotLoaded> {
        let text = std::fs::read_to_string(self.0.join(name)).map_err(|_| NotLoaded::Missing)?;
        Ok((name.to_string(), text))
    }
}

/// The statistics of all launches of a program.
///
/// # Errors
/// It is refused.
pub fn counted(case: &Case, variant: &Variant) -> Result<Statistics, String> {
    let mut sum = Statistics::default();
    for launch in case.trace(variant)?.launches {
        sum.merge(&launch.statistics.unwrap_or_default());
    }
    Ok(sum)
}
