//! What has to be so in a core when a run is over: everything that was lent has come back.

use super::lsu::LoadStoreUnit;
use super::{Flights, Held, Sm};
use crate::machine::Machine;

impl Sm {
    /// What is not as it has to be at the end of a run of so many cycles, whose accounts are closed.
    pub(crate) fn unbalanced(&self, machine: &Machine, cycles: u64) -> Option<&'static str> {
        let statistics = &self.statistics;
        let slots: u64 = statistics.slot_reasons().iter().map(|(_, slots)| slots).sum();
        let core = &machine.core;
        let faults = [
            (self.warp_used.iter().any(|used| *used), "warps that no block has given back"),
            (self.resident_warps != 0, "warps counted that are not there"),
            (self.held != Held::default(), "paths or entries of stacks that no block has"),
            (self.free_registers != u64::from(core.registers), "registers not given back"),
            (self.free_shared != u64::from(core.shared_memory), "shared memory not given back"),
            (self.places.iter().any(|place| place.occupied), "a block in a place"),
            (self.places.iter().any(|place| place.outstanding != 0), "instructions under way"),
            (!self.register_file.is_empty(), "operands to be read"),
            (!self.flights.is_empty(), "instructions that never started in their pipes"),
            (!self.front.is_idle(), "lines of instructions under way"),
            (
                statistics.prefetches
                    != statistics.prefetches_useful
                        + statistics.prefetches_late
                        + statistics.prefetches_unused,
                "prefetches without exactly one end",
            ),
            (!self.affine_is_idle(), "an affine warp that has not ended, or tuples in its queue"),
            (slots != cycles * self.queues.len() as u64, "issue slots without exactly one use"),
        ];
        let found = faults.into_iter().find_map(|(is, what)| is.then_some(what));
        found.or_else(|| self.load_store.unbalanced())
    }
}

impl Flights {
    /// Whether no instruction is under way.
    fn is_empty(&self) -> bool {
        self.free.len() == self.flights.len() && self.flights.iter().all(Option::is_none)
    }
}

impl LoadStoreUnit {
    fn unbalanced(&self) -> Option<&'static str> {
        let unit = &self.unit;
        let faults = [
            (!self.queue.is_empty(), "memory instructions in the load/store unit"),
            (!unit.mshrs.is_empty(), "misses of the first level without a reply"),
            (!unit.replays.is_empty(), "loads to be replayed"),
            (!unit.finished.is_empty(), "loads whose end nobody has heard of"),
            (unit.free_loads.len() != unit.loads.len(), "loads that have not come back"),
            (unit.asked.is_some(), "a line of constants under way"),
            (unit.reserved.iter().any(|lines| *lines != 0), "ways of the first level kept free"),
            (unit.l1.has_locks(), "locked lines in the first level"),
            (unit.stuck_since.is_some(), "a load that waits for room"),
            (unit.prefetcher.as_ref().is_some_and(|it| !it.is_idle()), "prefetches under way"),
            (self.held() != 0, "lines held for early loads"),
            (!unit.arrived.is_empty(), "lines that came early and that nobody has heard of"),
        ];
        faults.into_iter().find_map(|(is, what)| is.then_some(what))
    }
}
