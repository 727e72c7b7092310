//! A memory partition, with its ports to the interconnect.

use super::cache::Cache;
use super::interconnect::{Receiver, Sender};
use super::partition::Partition;
use crate::machine::Machine;
use crate::machine::clock::{Clock, NEVER};
use crate::observe::samples::Meter;
use crate::observe::statistics::Statistics;

/// A memory partition with its ports.
pub(crate) struct Memory {
    partition: Partition,
    pub(crate) receiver: Receiver,
    pub(crate) sender: Sender,
    /// From cycles of the second-level cache to those of SMs.
    to_core: Clock,
    header: u32,
    /// The next cycle, of the second-level cache, in which something can happen here.
    wake: u64,
    /// The last cycle, of the SMs, in which something happened here.
    last: u64,
    replies: u64,
    reply_bytes: u64,
    reply_flits: u64,
    /// Reads the counters now and then.
    pub(crate) meter: Meter,
}

impl Memory {
    pub(crate) fn new(machine: &Machine) -> Result<Memory, String> {
        let sms = machine.sms as usize;
        let config = &machine.interconnect;
        let clock = Clock::new(machine.l2.clock_mhz, config.clock_mhz);
        Ok(Memory {
            partition: Partition::new(machine)?,
            receiver: Receiver::new(config, sms, clock),
            sender: Sender::new(config, sms, clock),
            to_core: Clock::new(machine.l2.clock_mhz, machine.clock_mhz),
            header: config.header,
            wake: NEVER,
            last: 0,
            replies: 0,
            reply_bytes: 0,
            reply_flits: 0,
            meter: Meter::new(None),
        })
    }

    /// Exchanges its slice of the second-level cache with another one.
    pub(super) fn exchange_slice(&mut self, slice: &mut Cache) {
        self.partition.exchange_slice(slice);
    }

    /// Reads the counters at all boundaries up to a cycle of the SMs before which nothing happens here any more.
    pub(crate) fn measure(&mut self, cycle: u64) {
        while let Some(boundary) = self.meter.due(cycle) {
            let counters = self.counters(boundary);
            self.meter.read(counters);
        }
    }

    /// The counters until a cycle of the SMs starts, before which nothing happens here any more.
    #[cold]
    fn counters(&mut self, cycle: u64) -> Statistics {
        let mut total = self.partition.counters(self.to_core.inverse().at_or_after(cycle));
        total.replies = self.replies;
        total.reply_bytes = self.reply_bytes;
        total.reply_flits = self.reply_flits;
        total
    }

    /// Everything that happens from the SMs' cycle `from` to before `to`. With `all`, cycles in which
    /// nothing can happen are not jumped over.
    pub(crate) fn run(&mut self, from: u64, to: u64, all: bool) {
        let of_core = self.to_core.inverse();
        let (first, end) = (of_core.at_or_after(from), of_core.at_or_after(to));
        let mut now = if all { first } else { self.wake.max(first) };
        while now < end {
            // A boundary is due when this cycle starts with it or after it.
            while let Some(boundary) = self.meter.due(to)
                && of_core.at_or_after(boundary) <= now
            {
                let counters = self.counters(boundary);
                self.meter.read(counters);
            }
            let next = self.step(now);
            now = if all { now + 1 } else { next };
        }
        self.wake = self.next_event(end - 1);
    }

    /// Runs a cycle. Returns the next cycle in which something can happen.
    fn step(&mut self, now: u64) -> u64 {
        if !self.is_idle() {
            self.last = self.to_core.at_or_before(now);
        }
        while let Some((ready, packet)) = self.partition.due_reply(now)
            && self.sender.has_room()
        {
            let bytes = self.header + packet.reply_data();
            self.replies += 1;
            self.reply_bytes += u64::from(bytes);
            let sink = usize::from(packet.by.sm);
            self.reply_flits += self.sender.send(sink, bytes, *ready, *packet);
            self.partition.pop_reply();
        }
        self.wake = self.partition.step(now, &mut self.receiver);
        self.sender.step(now);
        self.next_event(now)
    }

    fn next_event(&self, now: u64) -> u64 {
        self.wake.min(self.sender.next_event()).max(now + 1)
    }

    /// A packet is in flight to this partition: it looks when the packet arrives.
    pub(crate) fn notice(&mut self) {
        self.wake = self.wake.min(self.receiver.next_event()).min(self.sender.next_event());
    }

    /// The SMs' next cycle in which something can happen here.
    pub(crate) fn wake(&self) -> u64 {
        self.to_core.at_or_before(self.wake)
    }

    /// The SMs' cycle in which something happened here last.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// Returns true if nothing is stored here or in flight to or from here.
    pub(crate) fn is_idle(&self) -> bool {
        self.partition.is_idle() && self.receiver.is_idle() && self.sender.is_idle()
    }

    /// A sentence about a resource that is not returned at the end of a run.
    pub(crate) fn unbalanced(&self) -> Option<&'static str> {
        let faults = [
            (!self.sender.is_balanced(), "replies that have not left, or credits that are lost"),
            (!self.receiver.is_balanced(), "requests in the interconnect"),
        ];
        let found = faults.into_iter().find_map(|(is, what)| is.then_some(what));
        found.or_else(|| self.partition.unbalanced())
    }

    /// The counters, for a run of `cycles` cycles of the SMs.
    pub(crate) fn statistics(&self, cycles: u64) -> Statistics {
        let mut total = self.partition.statistics(self.to_core.inverse().at_or_after(cycles));
        total.replies = self.replies;
        total.reply_bytes = self.reply_bytes;
        total.reply_flits = self.reply_flits;
        total
    }
}
