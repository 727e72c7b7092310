//! The memory system outside the SMs: interconnect, slices of the second-level cache, channels of
//! memory. It moves tags and bytes counts, not data: function happens at issue.

pub(crate) mod bytes;
pub(crate) mod cache;
mod channel;
pub(crate) mod coalesce;
pub(crate) mod device;
mod dram;
pub(crate) mod interconnect;
mod interleaving;
pub(crate) mod mapping;
pub(crate) mod mshr;
mod partition;
mod second_level;
mod timed;

use crate::machine::Machine;
use crate::machine::clock::Clock;
pub(crate) use crate::machine::clock::NEVER;
use crate::mechanisms::allocation::Requester;
use crate::observe::samples::Meter;
use crate::observe::statistics::Statistics;
use bytes::Bytes;
pub(crate) use bytes::SECTOR;
use cache::Cache;
use interconnect::{Receiver, Sender};
use interleaving::Interleaving;
use mshr::MshrId;
use partition::Partition;
pub use second_level::SecondLevel;

use crate::sm::LoadId;

/// The start of the physical addresses of constant memory, to which its own addresses are added:
/// above all others.
pub(crate) const CONSTANTS: u64 = 1 << 42;

/// The kind of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestKind {
    Read,
    Write,
    /// A write whose data are compressed to this many bytes for the transfer.
    CompressedWrite {
        bytes: u8,
    },
    /// Atomic operations, at most `serial` of them on one address, `lanes` in all.
    Atomic {
        serial: u8,
        lanes: u8,
    },
}

impl RequestKind {
    #[inline]
    pub(crate) fn is_write(self) -> bool {
        matches!(self, RequestKind::Write | RequestKind::CompressedWrite { .. })
    }
}

/// The part of an SM that waits for the reply to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiter {
    /// None: a write has no reply.
    Nobody,
    /// The front end, for a line of instructions.
    InstructionFetch,
    /// The load/store unit, for a line of constant memory.
    Constant,
    /// The waiters in an entry of the first level's MSHRs.
    Miss(MshrId),
    /// An atomic, by the number of its result.
    Atomic(LoadId),
    /// An entry of the prefetcher's buffer.
    Prefetch(u32),
}

/// A request in flight from an SM to memory, and later its reply in flight back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packet {
    /// The requester, which is also the receiver of the reply.
    pub(crate) by: Requester,
    pub(crate) kind: RequestKind,
    /// Address of the first-level line.
    pub(crate) line: u64,
    /// Sectors of that line.
    pub(crate) sectors: u8,
    /// The part that waits for the reply, which carries it back.
    pub(crate) waiter: Waiter,
}

impl Packet {
    /// Bytes of data that a request carries.
    fn request_data(&self) -> u32 {
        match self.kind {
            RequestKind::Read => 0,
            RequestKind::Write => SECTOR * self.sectors.count_ones(),
            RequestKind::CompressedWrite { bytes } => bytes.into(),
            RequestKind::Atomic { lanes, .. } => 8 * u32::from(lanes),
        }
    }

    /// Bytes of data that a reply carries.
    fn reply_data(&self) -> u32 {
        match self.kind {
            RequestKind::Read => SECTOR * self.sectors.count_ones(),
            RequestKind::Write | RequestKind::CompressedWrite { .. } => 0,
            RequestKind::Atomic { lanes, .. } => 8 * u32::from(lanes),
        }
    }
}

/// An SM's link to memory.
pub struct Link {
    sm: u16,
    pub(crate) sender: Sender,
    pub(crate) receiver: Receiver,
    interleaving: Interleaving,
    header: u32,
    requests: u64,
    request_bytes: u64,
    request_flits: u64,
    /// Requests that need a reply, and replies.
    requested: u64,
    answered: u64,
}

impl Link {
    pub(crate) fn new(machine: &Machine, sm: usize) -> Link {
        let partitions = machine.l2.partitions as usize;
        let config = &machine.interconnect;
        let clock = Clock::new(machine.clock_mhz, config.clock_mhz);
        Link {
            sm: sm as u16,
            sender: Sender::new(config, partitions, clock),
            receiver: Receiver::new(config, partitions, clock),
            interleaving: Interleaving::new(
                machine.l2.partitions,
                machine.l2.interleave,
                machine.l2.line,
            ),
            header: config.header,
            requests: 0,
            request_bytes: 0,
            request_flits: 0,
            requested: 0,
            answered: 0,
        }
    }

    /// Returns true if a packet can be handed over.
    pub(crate) fn accepts(&self) -> bool {
        self.sender.has_room()
    }

    /// Sends a packet; writes use [`Link::write`]. Write-backs need no check for room: there is at
    /// most one for each reply, so the queue stays bounded, and replies never wait for requests.
    pub(crate) fn send(&mut self, packet: Packet, now: u64) {
        debug_assert_eq!(packet.by.sm, self.sm);
        let partition = self.interleaving.partition(packet.line);
        let bytes = self.header + packet.request_data();
        self.requests += 1;
        self.requested += u64::from(!packet.kind.is_write());
        self.request_bytes += u64::from(bytes);
        self.request_flits += self.sender.send(partition, bytes, now, packet);
    }

    /// Sends a write of some bytes of its line.
    pub(crate) fn write(&mut self, packet: Packet, bytes: &Bytes, now: u64) {
        debug_assert!(packet.kind.is_write());
        self.send(packet, now);
        self.sender.writes(bytes);
    }

    /// A reply that has arrived by now.
    #[inline]
    pub(crate) fn receive(&mut self, now: u64) -> Option<Packet> {
        let reply = self.receiver.receive(now);
        self.answered += u64::from(reply.is_some());
        reply
    }

    /// The next cycle in which a reply arrives or a request can leave.
    #[inline]
    pub(crate) fn next_event(&self) -> u64 {
        self.receiver.next_event().min(self.sender.next_event())
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.sender.is_idle() && self.receiver.is_idle()
    }

    /// A sentence about a resource that is not returned at the end of a run.
    pub(crate) fn unbalanced(&self) -> Option<&'static str> {
        let faults = [
            (
                self.requested != self.answered,
                "requests without a reply, or replies without a request",
            ),
            (!self.sender.is_balanced(), "requests that have not left, or credits that are lost"),
            (!self.receiver.is_balanced(), "replies in the interconnect"),
        ];
        faults.into_iter().find_map(|(is, what)| is.then_some(what))
    }

    /// The counters.
    pub(crate) fn statistics(&self) -> Statistics {
        Statistics {
            requests: self.requests,
            request_bytes: self.request_bytes,
            request_flits: self.request_flits,
            ..Statistics::default()
        }
    }
}

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
    fn exchange_slice(&mut self, slice: &mut Cache) {
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

    /// Everything that happens in a cycle; the next one in which something can happen.
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
