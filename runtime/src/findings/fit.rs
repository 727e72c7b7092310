//! How many blocks of a launch fit on an SM.

use super::evidence::Evidence;
use crate::simulated::KernelRecord;
use reconverge_simulator::occupancy::{Footprint, Limit, Resource, Room};

/// What fits on an SM.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    limits: [Limit; 4],
    /// Blocks.
    pub blocks: u64,
    /// Their warps.
    pub warps: u64,
    /// Warps that an SM holds at most.
    pub capacity: u64,
}

impl Fit {
    /// Of a launch.
    pub fn new(evidence: &Evidence, record: &KernelRecord) -> Fit {
        Fit::with_registers(evidence, record, evidence.kernel.registers)
    }

    fn with_registers(evidence: &Evidence, record: &KernelRecord, registers: u32) -> Fit {
        let sm = &evidence.machine.sm;
        let shared = record.statistics.as_ref().map_or(0, |statistics| statistics.shared_bytes);
        let block = Footprint::new(sm, Fit::threads_of(record), registers, shared);
        let room = Room::of(sm);
        let blocks = block.blocks(&room);
        Fit {
            limits: block.limits(&room),
            blocks,
            warps: blocks * block.warps,
            capacity: room.warps,
        }
    }

    /// Threads of a launch's block.
    pub fn threads_of(record: &KernelRecord) -> u64 {
        record.block.iter().map(|&extent| u64::from(extent)).product()
    }

    /// Blocks of a launch.
    pub fn blocks_of(record: &KernelRecord) -> u64 {
        record.grid.iter().map(|&extent| u64::from(extent)).product()
    }

    /// The share of an SM's warps that fit.
    pub fn share(&self) -> f64 {
        self.warps as f64 / self.capacity.max(1) as f64
    }

    fn limiting(&self) -> impl Iterator<Item = Resource> {
        let limits = self.limits.iter().filter(|limit| limit.blocks() == Some(self.blocks));
        limits.map(|limit| limit.resource)
    }

    /// The one thing of which there is not enough for another block; `None` if there are several.
    pub fn limit(&self) -> Option<Resource> {
        let mut limiting = self.limiting();
        limiting.next().filter(|_| limiting.next().is_none())
    }

    /// What there is not enough of for another block, in words.
    pub fn reasons(&self) -> String {
        self.limiting().map(Resource::name).collect::<Vec<_>>().join(" and ")
    }

    /// The most registers a thread with which so many blocks fit.
    pub fn registers_for(
        &self,
        evidence: &Evidence,
        record: &KernelRecord,
        blocks: u64,
    ) -> Option<u32> {
        let fits =
            |&registers: &u32| Fit::with_registers(evidence, record, registers).blocks >= blocks;
        (1..evidence.kernel.registers).rev().find(fits)
    }
}
