//! The link of an SM to memory.

use super::bytes::Bytes;
use super::interconnect::{Receiver, Sender};
use super::interleaving::Interleaving;
use super::packet::Packet;
use crate::machine::Machine;
use crate::machine::clock::Clock;
use crate::observe::statistics::Statistics;

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
