//! NVIDIA's samples, compiled by nvcc and run by `exec`.
//!
//! `tests/suites/samples.toml` has the programs of three folders, with the arguments of the samples' own tests and what each comes
//! to. nvcc compiles the sources that a sample's `CMakeLists.txt` lists, in one call.

use super::programs::PASSES;
use super::whole::{Entry, Limits, run, table};
use anyhow::{Context, Result, bail};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Args)]
pub(super) struct Samples {
    /// The repository
    directory: PathBuf,
    /// The compiler
    #[arg(long, default_value = "nvcc")]
    nvcc: PathBuf,
    /// Only programs whose names contain this
    #[arg(long, default_value = "")]
    only: String,
    /// Seconds of processor time that a run may take
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The machine
    #[arg(long, default_value = "h100")]
    machine: String,
    /// Where programs are written
    #[arg(long, default_value = "target/samples")]
    to: PathBuf,
}

pub(super) fn samples(arguments: &Samples) -> Result<()> {
    std::fs::create_dir_all(&arguments.to)?;
    let to = arguments.to.canonicalize()?;
    table("samples.toml", &arguments.only, |name, entry| {
        let directory = arguments.directory.join("Samples").join(&entry.folder).join(name);
        let program = to.join(name);
        if let Some(why) = build(arguments, &directory, &program)? {
            return Ok(format!("does not build: {why}"));
        }
        let limits = Limits { machine: &arguments.machine, seconds: arguments.seconds };
        let found = run(&limits, &directory, &program.to_string_lossy(), entry)?;
        Ok(if ends_well(&found, entry) { PASSES.to_owned() } else { found })
    })
}

/// Returns true for a sample that has no check of its own and ends without an error.
fn ends_well(found: &str, entry: &Entry) -> bool {
    found.starts_with("ends well") && entry.result.is_empty()
}

/// Compiles a sample; the first error if there is one.
fn build(arguments: &Samples, directory: &Path, program: &Path) -> Result<Option<String>> {
    let list = directory.join("CMakeLists.txt");
    let list = std::fs::read_to_string(&list).with_context(|| format!("no {}", list.display()))?;
    let mut command = Command::new(&arguments.nvcc);
    command.args(["-cudart", "shared", "-gencode", "arch=compute_75,code=compute_75"]);
    command.args(["-std=c++17", "--extended-lambda", "-Wno-deprecated-gpu-targets"]);
    command.arg("-I").arg(arguments.directory.join("Common")).arg("-I").arg(directory.join("inc"));
    if list.contains("OpenMP") {
        command.args(["-Xcompiler", "-fopenmp"]);
    }
    command.args(sources(&list).iter().map(|source| directory.join(source)));
    command.args(libraries(&list).iter().map(|name| format!("-l{name}")));
    if list.contains("GLUT") {
        command.args(["-lglut", "-lGLEW", "-lGL", "-lGLU"]);
    }
    if let Some(why) = fails(command.arg("-o").arg(program))? {
        return Ok(Some(why));
    }
    if !list.contains("fatbin") {
        return Ok(None);
    }
    // The other sources are kernels that the program loads.
    let mut why = None;
    for source in std::fs::read_dir(directory)? {
        let source = source?.path();
        let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.ends_with(".cu") || sources(&list).contains(&name.as_str()) {
            continue;
        }
        let mut command = Command::new(&arguments.nvcc);
        command.args(["-fatbin", "-gencode", "arch=compute_75,code=compute_75"]);
        command.arg("-I").arg(arguments.directory.join("Common")).arg(&source).arg("-o");
        command.arg(directory.join(name.replace(".cu", "64.fatbin")));
        why = why.or(fails(&mut command)?);
    }
    Ok(why)
}

/// Runs a compiler; the first error if there is one.
fn fails(command: &mut Command) -> Result<Option<String>> {
    let done = command.output().context("cannot start nvcc")?;
    if done.status.success() {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let first = said.lines().find(|line| line.contains("error")).or(said.lines().last());
    match first {
        Some(first) => Ok(Some(first.to_owned())),
        None => bail!("nvcc fails and says nothing"),
    }
}

/// The sources of the first program of a `CMakeLists.txt`.
fn sources(list: &str) -> Vec<&str> {
    let call = list.split_once("add_executable(").map_or("", |(_, rest)| rest);
    let words = call.split(')').next().unwrap_or_default().split_whitespace().skip(1);
    let is_source = |word: &&str| [".cu", ".cpp", ".c"].iter().any(|end| word.ends_with(end));
    words.filter(is_source).collect()
}

/// CUDA's libraries that a `CMakeLists.txt` names.
fn libraries(list: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for part in list.split("CUDA::").skip(1) {
        let end = part.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(part.len());
        let name = part[..end].trim_end_matches("_static");
        let name = if name == "cuda_driver" { "cuda" } else { name };
        if !found.contains(&name) && name != "cudart" {
            found.push(name);
        }
    }
    found
}
