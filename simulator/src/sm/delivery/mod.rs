//! Operand delivery in a fixed time (`sm.operand-delivery=fixed-latency`): the stages between issue and
//! units, and those between units and registers, of a machine without operand collectors.
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §5. An instruction of fixed latency reads its operands in three cycles
//! ([`allocate`]); its result is forwarded ([`results`]). One of varying latency waits until its unit
//! is free and reads then; memory instructions have a queue of their own ([`memory`]).

pub(super) mod allocate;
pub(super) mod constants;
pub(super) mod memory;
pub(super) mod results;
mod slots;

use allocate::Allocate;
use constants::OperandConstants;
use memory::{MemoryQueues, Step};
use results::Results;

use crate::block::path::Lanes;
use crate::handles::CandidateId;
use crate::machine::Machine;
use crate::machine::clock::NEVER;
use crate::program::decoded::Entries;
use crate::sm::issue::scoreboard::Ready;
use crate::sm::residency::Candidate;

/// Dependence counters that rise a cycle after the issue of their instruction (MICRO 2025, §4).
pub(super) struct Rising {
    /// The first cycle in which they have risen.
    pub(super) cycle: u64,
    pub(super) candidate: Candidate,
    pub(super) scoreboard: u16,
    /// With per-thread scoreboards, the lanes of the path and those in which it acted.
    pub(super) lanes: Option<(Lanes, u64)>,
    pub(super) entries: Entries,
    pub(super) falls: Ready,
}

/// The stages of an SM.
pub(super) struct Delivery {
    pub(super) allocate: Allocate,
    pub(super) memory: MemoryQueues,
    pub(super) results: Results,
    /// By scheduler: the cache of constant operands, if there is one.
    pub(super) constants: Vec<OperandConstants>,
    pub(super) rising: Vec<Rising>,
    /// Steps of memory instructions in a cycle.
    pub(super) steps: Vec<Step>,
    /// From the shared part to the load/store unit.
    pub(super) to_unit: u64,
}

impl Delivery {
    /// The stages of an SM with a number of candidates.
    pub(super) fn new(machine: &Machine, candidates: usize) -> Delivery {
        let sm = &machine.sm;
        Delivery {
            allocate: Allocate::new(sm.schedulers, sm.read_ports, candidates),
            memory: MemoryQueues::new(machine),
            results: Results::new(sm.schedulers),
            constants: OperandConstants::of(machine),
            rising: Vec::new(),
            steps: Vec::new(),
            to_unit: machine.units.get("memory").map_or(1, |unit| unit.latency.into()),
        }
    }

    /// The next cycle in which something can happen.
    #[inline]
    pub(super) fn next_event(&self) -> u64 {
        let rising = self.rising.iter().map(|rising| rising.cycle).min().unwrap_or(NEVER);
        self.memory.next_event().min(self.results.next_event()).min(rising)
    }

    /// The load/store unit has room again.
    pub(super) fn wake(&mut self, now: u64) {
        self.memory.wake(now);
    }

    /// The cycles from the issue of an instruction, which is held for some, to that of the next one of
    /// its path.
    #[inline(always)]
    pub(super) fn distance(&mut self, id: CandidateId, stall: u8, held: u64) -> u64 {
        self.allocate.distance(id, stall, held)
    }

    /// A block starts in the place of a candidate.
    pub(super) fn reset(&mut self, id: CandidateId) {
        self.allocate.reset(id);
    }

    /// Returns true if the memory queue of a sub-core is full.
    pub(super) fn is_full(&self, sub_core: usize) -> bool {
        self.memory.is_full(sub_core)
    }

    /// A sentence about a resource that is not returned at the end of a run.
    pub(super) fn unbalanced(&self) -> Option<&'static str> {
        let faults = [
            (!self.memory.is_empty(), "memory instructions in the queue of a sub-core"),
            (!self.results.is_empty(), "results that were not written"),
            (!self.rising.is_empty(), "dependence counters that have not risen"),
        ];
        faults.into_iter().find_map(|(is, what)| is.then_some(what))
    }
}
