//! An SM with all it needs to run by itself for an epoch: its link to memory, the blocks that it
//! will get, and a log of its actions on global memory.

use std::collections::VecDeque;

use super::Sm;
use super::context::Outcome;
use crate::block::Block;
use crate::execute::Executor;
use crate::machine::Machine;
use crate::machine::clock::NEVER;
use crate::mechanisms::affine::slot::MechanismWait;
use crate::mechanisms::block_scheduler::{SlotCounts, SmRoom};
use crate::memory::device::{DeviceMemory, GlobalPort};
use crate::memory::link::Link;
use crate::memory::log::Log;
use crate::observe::samples::Meter;
use crate::observe::statistics::Statistics;
use crate::program::code::Code;
use crate::run::livelock::{Key, Producers};
use crate::run::occupancy::Footprint;
use crate::run::stuck::runnable;
use crate::sm::context::{Context, Epoch};

pub(crate) struct SmRunner {
    sm: Sm,
    executor: Executor,
    pub(crate) log: Log,
    pub(crate) link: Link,
    /// Blocks in flight to it: the cycle in which each starts, and its number.
    assigned: VecDeque<(u64, u64)>,
    /// The next cycle in which something can happen here.
    wake: u64,
    /// The last cycle in which something happened here.
    last: u64,
    /// The first cycle of the last epoch in which it ran.
    ran: u64,
    pub(crate) outcome: Outcome,
    /// Reads the counters now and then.
    pub(crate) meter: Meter,
}

impl SmRunner {
    pub(crate) fn new(
        index: usize,
        machine: &Machine,
        footprint: Footprint,
    ) -> Result<SmRunner, String> {
        Ok(SmRunner {
            sm: Sm::new(index, machine, footprint)?,
            executor: Executor::new([index as u32, machine.sms]),
            log: Log::default(),
            link: Link::new(machine, index),
            assigned: VecDeque::new(),
            wake: NEVER,
            last: 0,
            ran: 0,
            outcome: Outcome::default(),
            meter: Meter::new(None),
        })
    }

    /// Reads the counters at all boundaries up to a cycle before which nothing happens here any more.
    #[inline]
    pub(crate) fn measure(&mut self, cycle: u64) {
        while let Some(boundary) = self.meter.due(cycle) {
            self.meter.read(counters(&mut self.sm, &self.link, boundary));
        }
    }

    /// Its room, with blocks in flight counted; and the use of its issue slots before a cycle, if
    /// the block scheduler needs it.
    pub(crate) fn room(&mut self, slots_before: Option<u64>) -> SmRoom {
        slots_before.into_iter().for_each(|cycle| self.measure(cycle));
        let assigned = self.assigned.len() as u64;
        SmRoom {
            resident: self.blocks().count() as u64 + assigned,
            free: self.sm.room().saturating_sub(assigned),
            taken: false,
            slots: slots_before
                .map_or_else(SlotCounts::default, |cycle| self.sm.slot_counts(cycle)),
        }
    }

    /// A block is to start here in a cycle.
    pub(crate) fn assign(&mut self, number: u64, cycle: u64) {
        self.assigned.push_back((cycle, number));
        self.wake = self.wake.min(cycle);
    }

    /// A packet is in flight to this SM: it looks when the packet arrives.
    pub(crate) fn notice(&mut self) {
        self.wake = self.wake.min(self.link.next_event());
    }

    /// The next cycle in which something can happen here.
    pub(crate) fn wake(&self) -> u64 {
        self.wake
    }

    /// The last cycle in which something happened here.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// Returns true if nothing is stored here or in flight to or from here.
    pub(crate) fn is_idle(&self) -> bool {
        self.sm.is_idle() && self.link.is_idle() && self.assigned.is_empty()
    }

    /// A search for a livelock begins after an epoch: actions before that one are of no interest.
    pub(crate) fn forget_actions(&mut self, before: Epoch) {
        if self.ran != before.from {
            self.sm.forget_actions();
        }
    }

    /// Everything that happens in an epoch.
    pub(crate) fn run(&mut self, code: &Code, memory: &DeviceMemory, epoch: Epoch) {
        self.outcome =
            Outcome { backward: std::mem::take(&mut self.outcome.backward), ..Outcome::default() };
        self.outcome.backward.clear();
        self.ran = epoch.from;
        if !epoch.searching {
            self.sm.forget_actions();
        }
        self.log.begin();
        let mut port = GlobalPort::deferred(memory, &mut self.log);
        let mut context = Context {
            code,
            executor: &mut self.executor,
            port: &mut port,
            memory: &mut self.link,
            outcome: &mut self.outcome,
            epoch,
            arriving: false,
            now: 0,
        };
        let mut now = if epoch.all { epoch.from } else { self.wake.max(epoch.from) };
        while now < epoch.to {
            context.now = now;
            self.wake = NEVER;
            let mut works = !self.sm.is_idle() || !context.memory.is_idle();
            if works || !self.assigned.is_empty() {
                while let Some(boundary) = self.meter.due(now) {
                    self.meter.read(counters(&mut self.sm, context.memory, boundary));
                }
            }
            if !self.assigned.is_empty() {
                self.wake = start_blocks(&mut self.sm, &mut self.assigned, code, now);
                works |= !self.sm.is_idle();
            }
            context.arriving = !self.assigned.is_empty();
            if works {
                self.last = now;
                match self.sm.step(&mut context) {
                    Ok(next) => self.wake = self.wake.min(next),
                    Err(trap) => {
                        context.outcome.trap = Some((now, trap));
                        return;
                    }
                }
                if self.assigned.front().is_some_and(|(cycle, _)| *cycle <= now)
                    && self.sm.has_registers(code)
                {
                    self.wake = self.wake.min(now + 1);
                }
                context.memory.sender.step(now);
                let room = self.sm.needs_room(now) && context.memory.accepts();
                let next = if room { now } else { context.memory.next_event() };
                self.wake = self.wake.min(next).max(now + 1);
            }
            now = if epoch.all { now + 1 } else { self.wake };
        }
    }

    /// The SM itself.
    pub(crate) fn sm(&mut self) -> &mut Sm {
        &mut self.sm
    }

    /// The blocks that are here.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.sm.blocks()
    }

    /// The paths that may continue, with the livelock watch's names. One that waits to dequeue may
    /// if its producer may.
    pub(crate) fn runnable(&self, code: &Code) -> impl Iterator<Item = Key> {
        let (producers, sm) = (self.sm.producers(), self.sm.index());
        let may_go_on = move |block: &Block, key| match key {
            Key::Path(_, slot)
                if producers != Producers::MayGoOn
                    && block.missing_operand(code, slot).is_some() =>
            {
                (producers == Producers::MayRecur).then_some(Key::Producer(sm))
            }
            _ => Some(key),
        };
        self.blocks()
            .flat_map(move |block| runnable(block).filter_map(move |key| may_go_on(block, key)))
    }

    /// The wait reasons of the mechanism that fills the queues of warps.
    pub(crate) fn mechanism_waits(&self, code: &Code) -> Vec<MechanismWait> {
        self.sm.mechanism_waits(code)
    }

    /// A sentence about an imbalance at the end of a run of `cycles` cycles, whose accounts are
    /// closed.
    pub(crate) fn unbalanced(&self, machine: &Machine, cycles: u64) -> Option<&'static str> {
        let waiting = (!self.assigned.is_empty()).then_some("blocks that have not started");
        waiting.or(self.sm.unbalanced(machine, cycles)).or(self.link.unbalanced())
    }

    /// The counters of a finished run of `cycles` cycles.
    pub(crate) fn finish(&mut self, cycles: u64) -> Statistics {
        let mut statistics = self.sm.finish(cycles);
        statistics.cycles = cycles;
        statistics.merge(&self.link.statistics());
        statistics
    }
}

/// The counters until a cycle starts, before which nothing happens here any more.
#[cold]
fn counters(sm: &mut Sm, link: &Link, cycle: u64) -> Statistics {
    let mut statistics = sm.counters(cycle);
    statistics.merge(&link.statistics());
    statistics
}

/// Starts the blocks whose cycle has arrived. Returns the cycle of the next one. Blocks that have
/// waited for registers start one per cycle.
fn start_blocks(sm: &mut Sm, assigned: &mut VecDeque<(u64, u64)>, code: &Code, now: u64) -> u64 {
    let mut may_start = true;
    while let Some(&(cycle, number)) = assigned.front() {
        if cycle > now {
            return cycle;
        }
        if !may_start {
            return now + 1;
        }
        if !sm.has_registers(code) {
            // If some are free, the SM has done something.
            return NEVER;
        }
        assigned.pop_front();
        sm.start(code, number, now);
        may_start = !sm.can_lack_registers();
    }
    NEVER
}
