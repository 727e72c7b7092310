//! CUDA's driver, as far as compilers at run time load it: Triton, Numba, CuPy and `cuda-python`.

mod context;
mod entry;
mod launch;
mod memory;
mod missing;
mod module;
mod stream;
