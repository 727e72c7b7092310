//! Packages of Python on the driver. Each test is skipped where its packages are missing.

use super::setup::{fresh, has, libraries, run, succeeded};
use std::path::Path;
use std::process::Command;

/// The variable with the Python that has the packages.
const PYTHON: &str = "RECONVERGE_PYTHON";

/// Runs a program, if a line of Python that imports its packages succeeds.
fn passes(name: &str, imports: &str) {
    let python = std::env::var(PYTHON).unwrap_or_else(|_| "python3".to_owned());
    if !has(&python) {
        return;
    }
    let mut command = Command::new(&python);
    let imported = command.args(["-c", imports]).output().unwrap();
    if !imported.status.success() {
        eprintln!("SKIPPED: `{python}` fails at `{imports}`; {PYTHON} names another one");
        return;
    }
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python").join(name);
    let mut command = Command::new(&python);
    // As `exec` sets it; the folder is Triton's cache.
    command.env("TRITON_PTXAS_PATH", libraries().join("ptxas"));
    command.env("TRITON_CACHE_DIR", fresh(&format!("{name}_cache")));
    // Triton's code needs warps of 32 threads.
    let text = succeeded(run(command.arg(program), &[("RECONVERGE_MACHINE", "gtx480")]), name);
    assert!(text.ends_with("PASS\n"), "{text}");
}

#[test]
fn cuda_python_launches_a_kernel() {
    passes("cuda_python.py", "import numpy, cuda.bindings.driver");
}

/// With nvJitLink, Numba makes machine code.
#[test]
fn numba_launches_a_kernel() {
    let imports = "import numpy, numba_cuda; from importlib.metadata import distributions; \
                   assert all(one.name != 'nvidia-nvjitlink' for one in distributions())";
    passes("numba_kernel.py", imports);
}

#[test]
fn triton_launches_kernels_on_tensors_of_pytorch() {
    passes("triton_kernel.py", "import torch, triton.backends.nvidia.driver");
}

/// The packages of the package index contain CUDA's runtime, which works with CUDA's driver alone.
#[test]
fn cupy_launches_a_raw_kernel() {
    let imports = "import numpy, cupy, pathlib; from cupy_backends.cuda.api import runtime; \
                   assert b'libcudart_static' not in pathlib.Path(runtime.__file__).read_bytes()";
    passes("cupy_kernel.py", imports);
}
