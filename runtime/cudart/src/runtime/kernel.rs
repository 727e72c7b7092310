//! Handles and attributes of kernels, and occupancy.

use crate::abi::{Out, runtime};
use crate::error::{INVALID_DEVICE_FUNCTION, INVALID_RESOURCE_HANDLE, INVALID_VALUE, Outcome};
use crate::state;
use std::ffi::c_char;

/// Handles of kernels count from here, 16 apart.
const FIRST: usize = 0x4000_0001_0000_0000;

/// The handle of a kernel.
pub fn handle(kernel: usize) -> usize {
    FIRST + 16 * kernel
}

/// The kernel of a handle. A stand-in is one too.
///
/// # Errors
/// It is neither.
pub fn of_handle(handle: usize) -> Outcome<usize> {
    let index = handle.checked_sub(FIRST).filter(|at| at.is_multiple_of(16)).map(|at| at / 16);
    state::with(|state| {
        let count = state.device()?.kernels.len();
        match index.filter(|&index| index < count) {
            Some(index) => Ok(index),
            None => state.kernel(handle).map_err(|_| INVALID_RESOURCE_HANDLE),
        }
    })
}

/// `cudaFuncAttributes` as CUDA 11 has it; later ones have more at the end, which stays as it is.
#[derive(Clone, Copy)]
#[repr(C)]
struct Attributes {
    shared: usize,
    constant: usize,
    local: usize,
    threads: i32,
    registers: i32,
    ptx: i32,
    binary: i32,
    cache_mode: i32,
    dynamic: i32,
    carveout: i32,
}

/// `cudaFuncAttributeMaxDynamicSharedMemorySize` and the last attribute that is a hint.
const DYNAMIC: i32 = 8;
const CARVEOUT: i32 = 9;

fn attributes(kernel: usize) -> Outcome<Attributes> {
    state::device(|device| {
        let limits = device.gpu.limits();
        let known = device.kernels.get(kernel).ok_or(INVALID_DEVICE_FUNCTION)?;
        let fits = |&threads: &u32| device.occupancy(known, threads, 0) > 0;
        let most = (1..=limits.threads / limits.warp).rev().map(|warps| warps * limits.warp);
        let bound = if known.bound == 0 { limits.threads } else { known.bound };
        let threads = most.into_iter().find(fits).unwrap_or(0).min(bound);
        let free = limits.shared.saturating_sub(known.shared);
        Ok(Attributes {
            shared: known.shared as usize,
            constant: 0,
            local: known.local as usize,
            threads: threads as i32,
            registers: known.registers as i32,
            ptx: 75,
            binary: 75,
            cache_mode: 0,
            dynamic: known.dynamic.unwrap_or(free) as i32,
            carveout: -1,
        })
    })
}

/// An attribute of a kernel by the driver's number.
///
/// # Errors
/// There is no such kernel, or the attribute is not known.
pub fn attribute(kernel: usize, number: i32) -> Outcome<i32> {
    let all = attributes(kernel)?;
    Ok(match number {
        0 => all.threads,
        1 => all.shared as i32,
        2 => all.constant as i32,
        3 => all.local as i32,
        4 => all.registers,
        5 => all.ptx,
        6 => all.binary,
        7 => all.cache_mode,
        DYNAMIC => all.dynamic,
        CARVEOUT => all.carveout,
        10..=15 => 0,
        _ => return Err(INVALID_VALUE),
    })
}

/// Sets an attribute of a kernel.
///
/// # Errors
/// The value is more than the machine has, or the attribute is not known.
pub fn set_attribute(kernel: usize, attribute: i32, value: i32) -> Outcome {
    state::device(|device| {
        let most = device.gpu.limits().shared;
        let known = device.kernels.get_mut(kernel).ok_or(INVALID_DEVICE_FUNCTION)?;
        match attribute {
            DYNAMIC => {
                let value = u32::try_from(value).map_err(|_| INVALID_VALUE)?;
                let fits = u64::from(value) + u64::from(known.shared) <= u64::from(most);
                known.dynamic = fits.then_some(value);
                if fits { Ok(()) } else { Err(INVALID_VALUE) }
            }
            CARVEOUT => Ok(()),
            _ => Err(INVALID_VALUE),
        }
    })
}

/// The number of blocks of a kernel that an SM holds.
///
/// # Errors
/// There is no such kernel.
pub fn active_blocks(kernel: usize, threads: i32, dynamic: usize) -> Outcome<i32> {
    state::device(|device| {
        let known = device.kernels.get(kernel).ok_or(INVALID_DEVICE_FUNCTION)?;
        let threads = u32::try_from(threads).map_err(|_| INVALID_VALUE)?;
        Ok(device.occupancy(known, threads, dynamic as u64) as i32)
    })
}

/// The largest block of a kernel with which an SM holds most threads, and the fewest blocks that fill the machine.
///
/// # Errors
/// There is no such kernel, or no block fits.
pub fn best_block(kernel: usize, limit: i32, shared: impl Fn(i32) -> usize) -> Outcome<(i32, i32)> {
    let (warp, most, sms) = state::device(|device| {
        let limits = device.gpu.limits();
        Ok((limits.warp as i32, limits.threads as i32, limits.machine.sms as i32))
    })?;
    let most = if limit > 0 { limit.min(most) } else { most };
    let mut best = (0, 0, 0);
    for threads in (1..=most / warp.max(1)).rev().map(|warps| warps * warp) {
        let blocks = active_blocks(kernel, threads, shared(threads))?;
        if blocks * threads > best.0 {
            best = (blocks * threads, threads, blocks * sms);
        }
    }
    match best {
        (0, ..) => Err(INVALID_VALUE),
        (_, threads, blocks) => Ok((threads, blocks)),
    }
}

runtime! {
    /// The handle of a kernel, for `__cudaLaunchKernel`.
    fn __cudaGetKernel(kernel: Out<usize>, function: usize) {
        kernel.put(handle(state::with(|state| state.kernel(function))?))
    }

    /// The handle of a kernel.
    fn cudaGetKernel(kernel: Out<usize>, function: usize) {
        kernel.put(handle(state::with(|state| state.kernel(function))?))
    }

    /// The driver's handle of a kernel.
    fn cudaGetFuncBySymbol(kernel: Out<usize>, function: usize) {
        kernel.put(handle(state::with(|state| state.kernel(function))?))
    }

    /// The name of a kernel.
    fn cudaFuncGetName(name: Out<*const c_char>, function: usize) {
        state::with(|state| state.kernel(function))?;
        let symbol = state::with(|state| state.functions.get(&function).map(|it| it.symbol.clone()));
        name.put(crate::error::text(&symbol.ok_or(INVALID_DEVICE_FUNCTION)?))
    }

    /// Registers, memory and limits of a kernel.
    fn cudaFuncGetAttributes(found: Out<Attributes>, function: usize) {
        found.put(attributes(state::with(|state| state.kernel(function))?)?)
    }

    /// Sets an attribute of a kernel.
    fn cudaFuncSetAttribute(function: usize, attribute: i32, value: i32) {
        set_attribute(state::with(|state| state.kernel(function))?, attribute, value)
    }

    /// A hint: the machine's caches are as its file says.
    fn cudaFuncSetCacheConfig(function: usize, _configuration: i32) {
        state::with(|state| state.kernel(function)).map(drop)
    }

    /// A hint: the machine's banks are as its file says.
    fn cudaFuncSetSharedMemConfig(function: usize, _configuration: i32) {
        state::with(|state| state.kernel(function)).map(drop)
    }

    /// The blocks of a kernel that an SM holds.
    fn cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks: Out<i32>,
        function: usize,
        threads: i32,
        dynamic: usize,
    ) {
        let kernel = state::with(|state| state.kernel(function))?;
        blocks.put(active_blocks(kernel, threads, dynamic)?)
    }

    /// The blocks of a kernel that an SM holds.
    fn cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks: Out<i32>,
        function: usize,
        threads: i32,
        dynamic: usize,
        _flags: u32,
    ) {
        let kernel = state::with(|state| state.kernel(function))?;
        blocks.put(active_blocks(kernel, threads, dynamic)?)
    }

    /// The dynamic shared memory of each block if an SM is to hold that many.
    fn cudaOccupancyAvailableDynamicSMemPerBlock(
        bytes: Out<usize>,
        function: usize,
        blocks: i32,
        threads: i32,
    ) {
        let kernel = state::with(|state| state.kernel(function))?;
        let most = state::device(|device| Ok(device.gpu.limits().shared))?;
        let holds = |dynamic: &usize| {
            active_blocks(kernel, threads, *dynamic).is_ok_and(|held| held >= blocks)
        };
        let found = (0..=most as usize / 256).rev().map(|it| it * 256).find(holds);
        bytes.put(found.ok_or(INVALID_VALUE)?)
    }
}
