//! Functions by name, and the entry that CUDA's own static runtime looks for.

use super::missing::NAMES;
use crate::abi::{self, Host, Out, Text, driver};
use crate::error::{NOT_FOUND, NOT_SUPPORTED, Outcome};
use crate::runtime::device::version;
use crate::state;

/// The first version of CUDA whose functions have the suffixes `_v3` and `_v4`.
const NEW_FORMS: i32 = 13000;

/// The address of a function of this library, in its newest form that a version of CUDA knows and that is implemented.
fn find(name: &str, version: i32) -> Option<usize> {
    let suffixes: &[&str] = match version >= NEW_FORMS {
        true => &["_v4", "_v3", "_v2", ""],
        false => &["_v2", ""],
    };
    let names = suffixes.iter().map(|suffix| format!("{name}{suffix}"));
    let (missing, known): (Vec<_>, Vec<_>) = names.partition(|it| NAMES.contains(&it.as_str()));
    known.iter().chain(&missing).find_map(|name| abi::symbol(name))
}

fn entry(name: Text, version: i32, place: Out<usize>, status: Out<i32>) -> Outcome {
    match find(&name.get()?, version) {
        Some(address) => {
            // `CU_GET_PROC_ADDRESS_SUCCESS`.
            status.offer(0);
            place.put(address)
        }
        None => {
            // `CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND`.
            status.offer(1);
            place.put(0)?;
            Err(NOT_FOUND)
        }
    }
}

driver! {
    /// The address of a function.
    fn cuGetProcAddress(name: Text, place: Out<usize>, version: i32, _flags: u64) {
        // The older form has no place for the status.
        match find(&name.get()?, version) {
            Some(address) => place.put(address),
            None => place.put(0).and(Err(NOT_FOUND)),
        }
    }

    /// The address of a function.
    fn cuGetProcAddress_v2(name: Text, place: Out<usize>, version: i32, _flags: u64, status: Out<i32>) {
        entry(name, version, place, status)
    }

    /// Tables of CUDA's own libraries. A program that contains CUDA's runtime looks for them.
    fn cuGetExportTable(_table: Out<usize>, _id: Host) {
        state::say_once(
            "cuGetExportTable",
            "this program contains CUDA's runtime, which works with CUDA's driver alone\n  link it with `nvcc -cudart shared`",
        );
        Err(NOT_SUPPORTED)
    }
}

abi::runtime! {
    /// The address of a function of the driver.
    fn cudaGetDriverEntryPoint(name: Text, place: Out<usize>, _flags: u64, status: Out<i32>) {
        entry(name, version(), place, status)
    }

    /// The address of a function of the driver.
    fn cudaGetDriverEntryPointByVersion(
        name: Text, place: Out<usize>, version: u32, _flags: u64, status: Out<i32>,
    ) {
        entry(name, version as i32, place, status)
    }
}
