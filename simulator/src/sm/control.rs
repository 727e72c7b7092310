//! Requests to an SM beside its cycles: start a block, query if it is idle, report counters.

use reconverge_isa::WarpResult;

use super::Sm;
use crate::block::Block;
use crate::machine::Machine;
use crate::mechanisms::affine::slot::{Affine, MechanismWait};
use crate::mechanisms::allocation::Allocation;
use crate::mechanisms::block_scheduler::SlotCounts;
use crate::mechanisms::event::Event;
use crate::mechanisms::registry;
use crate::memory::log::Owner;
use crate::observe::profile::Rows;
use crate::observe::statistics::Statistics;
use crate::observe::trace::{Trace, Window};
use crate::program::code::Code;
use crate::run::fault::Trap;
use crate::run::livelock::Producers;
use crate::sm::issue::scoreboard::Outstanding;
use crate::sm::lsu::LoadStoreUnit;
use crate::sm::residency::BlockSlots;

impl Sm {
    /// Its number.
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// The cycle in which the first instructions arrived from memory.
    pub(crate) fn first_fetch(&self) -> Option<u64> {
        self.frontend.first_fetch()
    }

    /// Returns true if something here waits for room towards memory after a cycle.
    pub(crate) fn needs_room(&self, now: u64) -> bool {
        self.lsu.needs_room()
            || self.frontend.needs_to_request(now + 1)
            || self.affine.as_ref().is_some_and(|affine| affine.needs_room())
    }

    /// Returns true if nothing is stored here or in flight.
    pub(crate) fn is_idle(&self) -> bool {
        self.residency.resident_warps() == 0
            && self.lsu.is_idle()
            && self.frontend.is_idle()
            && self.affine.as_ref().is_none_or(|affine| affine.is_idle())
    }

    /// An atomic of a block here has taken place.
    pub(crate) fn complete(
        &mut self,
        code: &Code,
        owner: &Owner,
        result: &WarpResult,
    ) -> Result<(), Box<Trap>> {
        let block = self.residency.blocks_mut().block_mut(owner.place);
        block.complete(code, owner, result)
    }

    /// The blocks that are here.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.residency.blocks().occupied().map(|(_, block)| block)
    }

    /// The use of the issue slots of cycles before `now`.
    pub(crate) fn slot_counts(&mut self, now: u64) -> SlotCounts {
        self.account(now);
        let statistics = self.observer.statistics();
        SlotCounts {
            all: statistics.issue_slots,
            issued: statistics.slots_issued,
            memory: statistics.slots_memory + statistics.slots_load_store_full,
            idle: statistics.slots_idle,
        }
    }

    /// Blocks that fit beside those that are here.
    pub(crate) fn room(&self) -> u64 {
        self.residency.room()
    }

    /// Returns true if the register file has registers for another block, and not only places.
    pub(crate) fn has_registers(&mut self, code: &Code) -> bool {
        let (warps, registers) = (u64::from(code.shape.warps()), code.registers as u16);
        self.collector.limits().is_none_or(|limits| limits.fits(warps, registers))
    }

    /// Returns true if the register file may keep blocks from starting.
    pub(crate) fn can_lack_registers(&self) -> bool {
        self.collector.has_limits()
    }

    /// The most warp registers that one block can have, if there are fewer than in the machine
    /// file.
    pub(crate) fn register_capacity(&self) -> Option<u64> {
        self.collector.properties().capacity
    }

    /// Starts a block here in cycle `now`, given that it fits.
    pub(crate) fn start(&mut self, code: &Code, number: u64, now: u64) {
        // Before the block counts among those that are here.
        self.account(now);
        let Some((index, arrival)) = self.residency.admit(code, number) else {
            return;
        };
        self.quiet_until = 0;
        let resident = self.residency.slot(index);
        let (scoreboards, entries) = (resident.paths().len(), code.all_entries());
        let outstanding = match code.stated.map(|stated| stated.has_limits()) {
            None if !code.awaits_reads => Outstanding::One,
            None | Some(false) => Outstanding::Last,
            Some(true) => Outstanding::Each,
        };
        self.issue.reset(index, scoreboards, entries, outstanding);
        let scheme = *self.residency.scheme();
        if scheme.tracks_threads {
            let shape = code.shape;
            self.issue.track_threads(index, shape.warps() as usize, shape.width as usize);
        }
        if let Some(recorder) = self.observer.recorder() {
            recorder.started_block(index, number, resident.hardware(), now);
        }
        for (slot, &candidate) in resident.ids().iter().enumerate() {
            let warp = slot / scheme.slots_per_warp;
            self.frontend.reset(candidate);
            if let Some(delivery) = &mut self.delivery {
                delivery.reset(candidate);
            }
            self.issue.set_age(candidate, arrival << 16 | warp as u64);
            self.issue.raise(candidate, |candidate| Event::WarpStarted { candidate });
        }
        self.frontend.begin(code);
        let (long_lived, regions) = (code.long_lived, code.regions.as_ref());
        let has_switch_points = code.has_levels && self.collector.properties().levels.is_some();
        let loaded = Event::CodeLoaded { long_lived, regions, has_switch_points };
        self.collector.raise_all(&loaded);
        self.issue.raise_all(&loaded);
        self.observer.learn(code);
        for (warp, &hardware) in resident.hardware().iter().enumerate() {
            let scheduler = self.issue.scheduler_of(hardware);
            let age = arrival << 16 | warp as u64;
            let registers = code.registers as u16;
            let arrived = |warp| Event::WarpArrived { warp, scheduler, age, registers, now };
            self.lsu.raise(&arrived(hardware));
            self.collector.raise(hardware, arrived);
            if !self.issue.has_pools() {
                self.collector.raise(hardware, |warp| Event::ActiveChanged {
                    warp,
                    active: true,
                    now,
                });
            }
        }
        if let Some(affine) = &mut self.affine {
            affine.admit(code, index, arrival, now);
        }
        let (issue, mut ports) = self.issue(code, now);
        issue.refresh_touched(index, now, &mut ports);
    }

    /// Records events for viewers from now on, if requested.
    pub(crate) fn record(&mut self, window: Option<Window>) {
        self.observer.record(window, self.index, self.residency.candidates());
    }

    /// The trace.
    pub(crate) fn take_trace(&mut self) -> Option<Trace> {
        self.observer.take_trace()
    }

    /// Counts by instruction from now on, for `instructions` instructions.
    pub(crate) fn start_profile(&mut self, instructions: usize) {
        self.observer.start_profile(instructions);
    }

    /// The counters by instruction.
    pub(crate) fn take_profile(&mut self) -> Option<Box<Rows>> {
        self.observer.take_profile()
    }

    /// The entries that still arrive in the queues of warps as long as all paths continue as now.
    pub(super) fn producers(&self) -> Producers {
        let producers = |(affine, blocks, lsu): (&dyn Affine, &BlockSlots, &LoadStoreUnit)| {
            affine.producers(blocks, lsu)
        };
        self.mechanism().map_or(Producers::MayGoOn, producers)
    }

    /// The wait reasons of the parts of the mechanism in the slot `affine`.
    pub(crate) fn mechanism_waits(&self, code: &Code) -> Vec<MechanismWait> {
        let mechanism = self.mechanism();
        mechanism.map_or_else(Vec::new, |(it, blocks, lsu)| it.waits(code, self.index, blocks, lsu))
    }

    /// Returns true if the slot `affine` is filled: then something may happen here without a block.
    pub(crate) fn has_affine(&self) -> bool {
        self.affine.is_some()
    }

    /// The mechanism of the slot `affine`, with the state that its reports need.
    fn mechanism(&self) -> Option<(&dyn Affine, &BlockSlots, &LoadStoreUnit)> {
        Some((self.affine.as_deref()?, self.residency.blocks(), &self.lsu))
    }

    /// The slot `allocation` of the L1.
    pub(crate) fn allocation(&mut self) -> &mut dyn Allocation {
        self.lsu.allocation()
    }

    /// Passes an event to the slot `allocation` of the L1, if that receives its kind.
    pub(crate) fn raise_in_l1(&mut self, event: &Event) {
        self.lsu.raise(event);
    }

    /// No search for a livelock is in progress: only later actions of the mechanism of the slot
    /// `affine` are of interest.
    pub(super) fn forget_actions(&mut self) {
        if let Some(affine) = &mut self.affine {
            affine.forget_actions();
        }
    }

    /// The counters until a cycle starts, before which nothing happens here any more. Counters
    /// known only at the end, such as the lines requested in vain, are not in it.
    pub(crate) fn counters(&mut self, cycle: u64) -> Statistics {
        self.account(cycle);
        if let Some(affine) = &mut self.affine {
            affine.count(self.lsu.held_lines(), self.observer.statistics(), cycle);
        }
        let mut statistics = self.observer.counters();
        self.count_mechanisms(&mut statistics, cycle);
        self.lsu.count(&mut statistics);
        statistics.l1_sectors_predicted_unused = 0;
        self.lsu.count_stall(cycle, &mut statistics);
        statistics
    }

    /// Closes the accounts at the end of the run, after `cycles` cycles. Returns the counters.
    pub(crate) fn finish(&mut self, cycles: u64) -> Statistics {
        self.account(cycles);
        self.lsu.count(self.observer.statistics());
        if let Some(affine) = &mut self.affine {
            affine.count(self.lsu.held_lines(), self.observer.statistics(), cycles);
        }
        self.lsu.end_run();
        let mut statistics = self.observer.finish();
        self.count_mechanisms(&mut statistics, cycles);
        statistics
    }

    /// Adds the counters that mechanisms keep, until a cycle.
    fn count_mechanisms(&self, statistics: &mut Statistics, cycle: u64) {
        self.collector.count(statistics, cycle);
        self.issue.count_mechanisms(&mut statistics.mechanisms, cycle);
        self.lsu.count_mechanisms(&mut statistics.mechanisms, cycle);
        if let Some(pairing) = &self.pairing {
            pairing.count(&mut statistics.mechanisms);
        }
        statistics.mechanisms.complete(registry::statistics());
    }

    /// A sentence about an imbalance at the end of a run of `cycles` cycles, whose accounts are
    /// closed: every resource in use must have been returned.
    pub(crate) fn unbalanced(&self, machine: &Machine, cycles: u64) -> Option<&'static str> {
        let affine_is_idle = self.affine.as_ref().is_none_or(|affine| affine.is_idle());
        let faults = [
            (!self.frontend.is_idle(), "lines of instructions under way"),
            (
                !affine_is_idle,
                "a warp of a mechanism that has not ended, or something in its queue",
            ),
        ];
        let found = faults.into_iter().find_map(|(is, what)| is.then_some(what));
        found
            .or_else(|| self.residency.unbalanced(machine))
            .or_else(|| self.collector.unbalanced())
            .or_else(|| self.delivery.as_ref().and_then(|delivery| delivery.unbalanced()))
            .or_else(|| self.lsu.unbalanced())
            .or_else(|| self.observer.unbalanced(cycles, self.issue.schedulers()))
    }
}
