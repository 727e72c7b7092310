//! Counters of values that any register file can keep: how often each is read, and how many
//! registers are live.

use super::live::Live;
use super::slot::{Destination, Operands};
use super::values::Values;
use crate::handles::WarpSlot;
use crate::mechanisms::event::{Event, EventSet};
use crate::observe::statistics::Statistics;

/// The values of an SM's warps.
pub(super) struct Followed {
    values: Values,
    live: Live,
    /// By hardware warp: all of its threads have ended.
    ended: Vec<bool>,
    registers: InUse,
}

impl Followed {
    /// The events that it receives.
    pub(super) const EVENTS: EventSet =
        EventSet::WARP_ARRIVED.and(EventSet::THREADS_ENDED).and(EventSet::BYPASSED);

    /// Under a divergence scheme whose last reads are those of whole warps, or of the lanes that read.
    pub(super) fn new(of_warp: bool) -> Followed {
        Followed {
            values: Values::default(),
            live: Live::new(of_warp),
            ended: Vec::new(),
            registers: InUse::default(),
        }
    }

    /// Receives an event.
    pub(super) fn on_event(&mut self, event: &Event) {
        match *event {
            Event::WarpArrived { warp, registers, .. } => self.start(warp, registers),
            Event::ThreadsEnded { warp, now } => self.end(warp, now),
            Event::Bypassed { result, now } => self.bypass(result, now),
            _ => {}
        }
    }

    /// A warp with `registers` registers starts.
    fn start(&mut self, warp: WarpSlot, registers: u16) {
        self.live.start(warp, registers);
        let warp = warp.index();
        if self.ended.len() <= warp {
            self.ended.resize(warp + 1, false);
        }
        self.ended[warp] = false;
    }

    /// An instruction issues that reads some registers and is to write others.
    pub(super) fn issued(&mut self, operands: &Operands, result: Option<&Destination>, now: u64) {
        self.values.read(operands);
        let registers = &mut self.registers;
        self.live.read(operands, |_| registers.remove(now));
        if let Some(result) = result {
            self.live.write(result, |_| registers.add(now));
        }
    }

    /// A result is written.
    pub(super) fn write(&mut self, result: &Destination) {
        self.values.write(result);
        if self.ended.get(result.warp.index()) == Some(&true) {
            self.values.end(result.warp);
        }
    }

    /// A result is kept by another mechanism.
    fn bypass(&mut self, result: &Destination, now: u64) {
        self.values.bypass(result);
        self.live.bypass(result, |_| self.registers.remove(now));
    }

    /// The threads of a warp have ended.
    fn end(&mut self, warp: WarpSlot, now: u64) {
        self.values.end(warp);
        self.live.end(warp, |_| self.registers.remove(now));
        if let Some(ended) = self.ended.get_mut(warp.index()) {
            *ended = true;
        }
    }

    /// Adds the counters until a cycle. The most live registers of parts of a register file need not occur at one time, so
    /// their sum is a bound.
    pub(super) fn count(&self, statistics: &mut Statistics, cycle: u64) {
        let [unread, once, twice, more] = self.values.counts();
        statistics.values_unread += unread;
        statistics.values_read_once += once;
        statistics.values_read_twice += twice;
        statistics.values_read_more += more;
        statistics.register_live_cycles += self.registers.until(cycle);
        statistics.max_live_registers += self.registers.most();
    }
}

/// A number of things over time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InUse {
    count: u64,
    most: u64,
    /// The cycle since which the number holds; and number times cycles until then.
    since: u64,
    cycles: u64,
}

impl InUse {
    /// Sets the number from a cycle on.
    pub(super) fn set(&mut self, count: u64, now: u64) {
        self.cycles = self.until(now);
        self.since = now;
        self.count = count;
        self.most = self.most.max(count);
    }

    /// There is one more from a cycle on.
    pub(super) fn add(&mut self, now: u64) {
        self.set(self.count + 1, now);
    }

    /// There is one less.
    pub(super) fn remove(&mut self, now: u64) {
        self.set(self.count - 1, now);
    }

    /// The number.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The most that there were at one time.
    pub(super) fn most(&self) -> u64 {
        self.most
    }

    /// The number, summed over the cycles until one.
    pub(super) fn until(&self, cycle: u64) -> u64 {
        self.cycles + self.count * cycle.saturating_sub(self.since)
    }
}
