//! Generated kernels as clang compiles them to PTX: the output and the memory are those of the interpreter, which executes
//! the source.

use crate::generate::Generated;
use crate::oracle::{Case, Variant};
use anyhow::{Context, Result, ensure};
use reconverge::kernel_file::Level;
use reconverge_compiler::check::CheckOptions;
use reconverge_simulator::load_machine;
use std::path::Path;
use std::process::{Command, Output};

/// The names of clang, the newest version first that is known to make PTX of the generated kernels.
const NAMES: [&str; 3] = ["clang++-19", "clang++-18", "clang++"];

/// The flags under which C++ has the meaning of our language: integers wrap, memory has no types, and each operation is
/// rounded.
const FLAGS: [&str; 12] = [
    "-x",
    "cuda",
    "--cuda-device-only",
    "--cuda-gpu-arch=sm_80",
    "-Wno-unknown-cuda-version",
    "-w",
    "-Wno-c++11-narrowing",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-O3",
    "-S",
];

/// Reductions of warps: clang 19's own functions exchange mask and value.
const REDUCTIONS: &str = "\
__device__ inline unsigned reduce_add(unsigned mask, unsigned value) { return __nvvm_redux_sync_add(value, mask); }
__device__ inline int reduce_add(unsigned mask, int value) { return __nvvm_redux_sync_add(value, mask); }
__device__ inline unsigned reduce_min(unsigned mask, unsigned value) { return __nvvm_redux_sync_umin(value, mask); }
__device__ inline int reduce_min(unsigned mask, int value) { return __nvvm_redux_sync_min(value, mask); }
__device__ inline unsigned reduce_max(unsigned mask, unsigned value) { return __nvvm_redux_sync_umax(value, mask); }
__device__ inline int reduce_max(unsigned mask, int value) { return __nvvm_redux_sync_max(value, mask); }
__device__ inline unsigned reduce_and(unsigned mask, unsigned value) { return __nvvm_redux_sync_and(value, mask); }
__device__ inline unsigned reduce_or(unsigned mask, unsigned value) { return __nvvm_redux_sync_or(value, mask); }
__device__ inline unsigned reduce_xor(unsigned mask, unsigned value) { return __nvvm_redux_sync_xor(value, mask); }
#define __reduce_add_sync reduce_add
#define __reduce_min_sync reduce_min
#define __reduce_max_sync reduce_max
#define __reduce_and_sync reduce_and
#define __reduce_or_sync reduce_or
#define __reduce_xor_sync reduce_xor
";

/// A clang with the headers and the device library of a CUDA toolkit.
#[derive(Clone, Debug)]
pub struct Clang {
    program: String,
    toolkit: String,
}

impl Clang {
    /// The clang of this system. `CLANG` names another, and `CUDA` the toolkit's folder.
    ///
    /// # Errors
    /// None is installed, or it cannot compile a kernel: why, and how to get one.
    pub fn find() -> Result<Clang, String> {
        let toolkit = std::env::var("CUDA").unwrap_or("/usr/local/cuda".to_owned());
        let named = std::env::var("CLANG").ok();
        let names = named.iter().map(String::as_str).chain(NAMES);
        let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
        let Some(program) = names.into_iter().find(is_there) else {
            return Err(
                "clang is not installed (Debian: clang-19; `CLANG` names another)".to_owned()
            );
        };
        let clang = Clang { program: program.to_owned(), toolkit };
        match clang.compiled("__global__ void k() {}") {
            Ok(_) => Ok(clang),
            Err(error) => Err(format!(
                "`{program}` compiles no kernel; `CUDA` names the folder of a toolkit of CUDA 12: {error:#}"
            )),
        }
    }

    /// The PTX of a source.
    ///
    /// # Errors
    /// It is refused, or a file cannot be written or read.
    pub fn compiled(&self, source: &str) -> Result<String> {
        let id = format!("{}-{:?}", std::process::id(), std::thread::current().id());
        let folder = std::env::temp_dir().join(format!("reconverge-clang-{id}"));
        std::fs::create_dir_all(&folder)?;
        let result = self.compiled_in(&folder, source);
        std::fs::remove_dir_all(folder)?;
        result
    }

    fn compiled_in(&self, folder: &Path, source: &str) -> Result<String> {
        let (from, to) = (folder.join("kernel.cu"), folder.join("kernel.ptx"));
        std::fs::write(&from, format!("{REDUCTIONS}{source}"))?;
        let mut command = Command::new(&self.program);
        command.args(FLAGS).arg(format!("--cuda-path={}", self.toolkit));
        let Output { status, stderr, .. } = command.arg(&from).arg("-o").arg(&to).output()?;
        let message = String::from_utf8_lossy(&stderr);
        ensure!(status.success(), "{}", message.lines().next().unwrap_or("no message"));
        std::fs::read_to_string(to).context("no PTX was written")
    }

    /// Runs a program with clang's kernels in the place of its own, in every variant with warps of 32 lanes and under the
    /// reference model of PTX. Returns the number of runs.
    ///
    /// # Errors
    /// The first difference, in words, or clang's message.
    pub fn compare(&self, program: &Generated, variants: &[Variant]) -> Result<usize, String> {
        let source = program.source();
        let text = self.compiled(&source).map_err(|error| format!("clang: {error:#}"))?;
        let options = CheckOptions { contract: false, ..CheckOptions::default() };
        let mut case = Case::with_options(&source, options)?;
        let mut chosen = vec![Variant::reference()];
        for variant in variants {
            if load_machine(&variant.machine, &variant.sets)?.sm.warp_width == 32 {
                chosen.push(variant.clone());
            }
        }
        let compared = case.compare_kernels("clang.ptx", &text, Level::Ptx, &chosen);
        compared.map(|()| chosen.len()).map_err(|failure| failure.to_string())
    }
}
