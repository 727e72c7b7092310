//! The number of blocks that fit on an SM, and the resource that limits it.

use crate::kernel_record::KernelRecord;
use reconverge_isa::Kernel;
use reconverge_simulator::Machine;
use reconverge_simulator::run::occupancy::{Footprint, Limit, Resource, Room};

/// The occupancy of an SM.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// A block's use of each resource, and the amount that an SM has.
    pub limits: [Limit; 4],
    /// Blocks.
    pub blocks: u64,
    /// Their warps.
    pub warps: u64,
    /// Warps that an SM holds at most.
    pub capacity: u64,
}

impl Fit {
    /// The fit of blocks with `threads` threads, `registers` registers per thread and `shared`
    /// bytes of shared memory.
    pub fn new(machine: &Machine, threads: u64, registers: u32, shared: u64) -> Fit {
        let block = Footprint::new(&machine.sm, threads, registers, shared);
        let room = Room::of(&machine.sm);
        let blocks = block.blocks(&room);
        Fit {
            limits: block.limits(&room),
            blocks,
            warps: blocks * block.warps,
            capacity: room.warps,
        }
    }

    /// The fit of a launch's blocks.
    pub fn of_launch(machine: &Machine, kernel: &Kernel, record: &KernelRecord) -> Fit {
        Fit::with_registers(machine, record, machine.registers_of(kernel))
    }

    fn with_registers(machine: &Machine, record: &KernelRecord, registers: u32) -> Fit {
        Fit::new(machine, Fit::threads_of(record), registers, Fit::shared_of(record))
    }

    /// Threads of a launch's block.
    pub fn threads_of(record: &KernelRecord) -> u64 {
        record.block.iter().map(|&extent| u64::from(extent)).product()
    }

    /// Blocks of a launch.
    pub fn blocks_of(record: &KernelRecord) -> u64 {
        record.grid.iter().map(|&extent| u64::from(extent)).product()
    }

    /// Bytes of shared memory of a launch's block, as far as they were measured.
    pub fn shared_of(record: &KernelRecord) -> u64 {
        record.statistics.as_ref().map_or(0, |statistics| statistics.shared_bytes)
    }

    /// The share of an SM's warps that fit.
    pub fn share(&self) -> f64 {
        self.warps as f64 / self.capacity.max(1) as f64
    }

    /// The resources that are too scarce for another block.
    pub fn limiting(&self) -> impl Iterator<Item = Resource> {
        let limits = self.limits.iter().filter(|limit| limit.blocks() == Some(self.blocks));
        limits.map(|limit| limit.resource)
    }

    /// The one thing of which there is not enough for another block; `None` if there are several.
    pub fn limit(&self) -> Option<Resource> {
        let mut limiting = self.limiting();
        limiting.next().filter(|_| limiting.next().is_none())
    }

    /// The resources that are too scarce for another block, in words.
    pub fn reasons(&self, between: &str) -> String {
        self.limiting().map(Resource::name).collect::<Vec<_>>().join(between)
    }

    /// The most registers per thread with which a number of blocks of a launch fit.
    pub fn registers_for(
        machine: &Machine,
        kernel: &Kernel,
        record: &KernelRecord,
        blocks: u64,
    ) -> Option<u32> {
        let fits =
            |&registers: &u32| Fit::with_registers(machine, record, registers).blocks >= blocks;
        (1..kernel.registers).rev().find(fits)
    }
}
