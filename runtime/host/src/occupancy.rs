//! The number of a kernel's blocks that fit on an SM, as reported to a program under every model,
//! from the registers of the compiled kernel.

use super::cuda_error as code;
use super::device::{BlockSize, DeviceLimits};
use super::environment::HostEnvironment;
use crate::interpreter::environment::Interrupt;
use crate::interpreter::shared_layout::SharedLayout;
use reconverge_compiler::check::builtin::Builtin;
use reconverge_compiler::check::tree::FunctionId;

/// The resources of a block.
#[derive(Clone, Copy, Debug)]
struct Block {
    threads: u32,
    /// Registers of a thread.
    registers: u32,
    /// Bytes, of which the dynamic ones lie after the others.
    shared: u64,
    dynamic: u64,
}

/// Blocks that fit on an SM; 0 when one does not fit.
fn blocks_of_core(limits: &DeviceLimits, block: Block) -> u32 {
    if block.threads == 0 || block.threads > limits.threads {
        return 0;
    }
    let Some(occupancy) = &limits.machine.occupancy else {
        return 0;
    };
    let shared = match block.dynamic {
        0 => block.shared,
        dynamic => block.shared.next_multiple_of(16).saturating_add(dynamic),
    };
    let Block { threads, registers, .. } = block;
    u32::try_from(occupancy.blocks(BlockSize { threads, registers, shared })).unwrap_or(u32::MAX)
}

/// The size of blocks with which an SM holds the most threads, the largest of those, and how many
/// blocks it holds.
fn best_block(limits: &DeviceLimits, most: u32, kernel: Block) -> Option<(u32, u32)> {
    let warp = limits.warp.max(1);
    let sizes = (1..=most.div_ceil(warp)).rev().map(|warps| (warps * warp).min(most));
    let mut best = None;
    for threads in sizes {
        let blocks = blocks_of_core(limits, Block { threads, ..kernel });
        let resident = blocks * threads;
        if resident > best.map_or(0, |(size, blocks)| size * blocks) {
            best = Some((threads, blocks));
        }
    }
    best
}

impl HostEnvironment<'_> {
    /// Calls a function about occupancy; `None` for others.
    pub(super) fn occupancy_library(
        &mut self,
        builtin: Builtin,
        arguments: &[u64],
    ) -> Result<Option<i32>, Interrupt> {
        use Builtin::*;
        let get = |index: usize| arguments.get(index).copied().unwrap_or(0);
        let kernel = match builtin {
            CudaOccupancyBlocks => FunctionId(get(1) as u32),
            CudaOccupancyBlockSize => FunctionId(get(2) as u32),
            _ => return Ok(None),
        };
        let shared = SharedLayout::of(self.module, self.code, kernel).static_size;
        let bound = self.module.function(kernel).launch_bound.unwrap_or(u32::MAX);
        let limits = self.cuda.limits.clone();
        let name = &self.module.function(kernel).name;
        let registers = limits.registers.get(name).copied().unwrap_or(0);
        let block = Block { threads: 0, registers, shared, dynamic: get(3) };
        if builtin == CudaOccupancyBlocks {
            let Some(threads) = u32::try_from(get(2) as i32).ok().filter(|&threads| threads > 0)
            else {
                return Ok(Some(code::INVALID_VALUE));
            };
            let block = Block { threads, ..block };
            let blocks = if threads > bound { 0 } else { blocks_of_core(&limits, block) };
            return Ok(Some(self.put_int(get(0) as u32, blocks)?));
        }
        let wished = u32::try_from(get(4) as i32).ok().filter(|&most| most > 0);
        let most = wished.unwrap_or(u32::MAX).min(limits.threads).min(bound);
        let Some((threads, blocks)) = best_block(&limits, most, block) else {
            return Ok(Some(code::INVALID_VALUE));
        };
        self.put_int(get(0) as u32, blocks * limits.machine.sms)?;
        Ok(Some(self.put_int(get(1) as u32, threads)?))
    }
}
