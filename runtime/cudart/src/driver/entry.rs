//! Functions by name, and the entry that CUDA's own static runtime looks for.

use crate::abi::{self, Host, Out, Text, driver};
use crate::error::{NOT_FOUND, NOT_SUPPORTED, Outcome};
use crate::state;

/// The address of a function of this library, in its newest version.
fn find(name: &str) -> Option<usize> {
    let versions = ["_v4", "_v3", "_v2", ""].into_iter();
    versions.filter_map(|version| abi::symbol(&format!("{name}{version}"))).next()
}

fn entry(name: Text, place: Out<usize>, status: Out<i32>) -> Outcome {
    match find(&name.get()?) {
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
    fn cuGetProcAddress(name: Text, place: Out<usize>, _version: i32, _flags: u64) {
        // The older form has no place for the status.
        match find(&name.get()?) {
            Some(address) => place.put(address),
            None => place.put(0).and(Err(NOT_FOUND)),
        }
    }

    /// The address of a function.
    fn cuGetProcAddress_v2(name: Text, place: Out<usize>, _version: i32, _flags: u64, status: Out<i32>) {
        entry(name, place, status)
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
        entry(name, place, status)
    }

    /// The address of a function of the driver.
    fn cudaGetDriverEntryPointByVersion(
        name: Text, place: Out<usize>, _version: u32, _flags: u64, status: Out<i32>,
    ) {
        entry(name, place, status)
    }
}
