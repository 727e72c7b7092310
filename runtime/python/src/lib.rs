//! Kernels from Python: the extension module `reconverge._native`, on which the package `reconverge` is built.
//!
//! The package contains the parts that Python does better: exceptions, the mapping of statistics,
//! pandas frames, worker processes. Everything that needs the compiler or the simulator is here, on
//! top of [`reconverge::session`] and [`reconverge::study`].

mod arguments;
mod array;
mod launched;
mod machine;
mod mechanisms;
mod module;
mod number;
mod raise;
mod sweep;
mod table;
mod wait;

/// The extension module.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use super::launched::Launch;
    #[pymodule_export]
    use super::machine::{machine, machines, statistics};
    #[pymodule_export]
    use super::mechanisms::{
        IssuedInstruction, LineAccess, LoadOfWarp, NextInstruction, Requester, View,
    };
    #[pymodule_export]
    use super::module::Module;
    #[pymodule_export]
    use super::sweep::{sweep_left, sweep_points, sweep_study};

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = reconverge::study::VERSION;
}
