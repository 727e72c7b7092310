//! A crossbar, one direction: sources with queues, sinks with queues, a port at each end that moves
//! so many bytes a cycle, and a latency in between. A packet leaves when both ports are free and the
//! sink has room; sources take turns.

use std::collections::VecDeque;

use super::{NEVER, Packet};
use crate::machine::Interconnect as Config;

/// A packet that waits at a source.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    sink: usize,
    bytes: u32,
    /// It may not leave before.
    ready: u64,
    packet: Packet,
}

#[derive(Default)]
struct Port<T> {
    queue: VecDeque<T>,
    /// When the port can move the next packet.
    free: u64,
}

pub(crate) struct Crossbar {
    latency: u64,
    width: u32,
    capacity: usize,
    sources: Vec<Port<Waiting>>,
    /// Packets with the cycle in which they arrive.
    sinks: Vec<Port<(u64, Packet)>>,
    /// Packets at all sources.
    waiting: usize,
    /// Packets at or on the way to all sinks.
    arriving: usize,
}

impl Crossbar {
    pub(crate) fn new(config: &Config, sources: usize, sinks: usize) -> Crossbar {
        Crossbar {
            latency: u64::from(config.latency),
            width: config.bytes_per_cycle,
            capacity: config.queue as usize,
            sources: (0..sources).map(|_| Port { queue: VecDeque::new(), free: 0 }).collect(),
            sinks: (0..sinks).map(|_| Port { queue: VecDeque::new(), free: 0 }).collect(),
            waiting: 0,
            arriving: 0,
        }
    }

    pub(crate) fn has_room(&self, source: usize) -> bool {
        self.sources[source].queue.len() < self.capacity
    }

    /// Puts a packet into a source's queue; it may leave from cycle `ready` on.
    pub(crate) fn send(
        &mut self,
        source: usize,
        sink: usize,
        bytes: u32,
        ready: u64,
        packet: Packet,
    ) {
        self.waiting += 1;
        self.sources[source].queue.push_back(Waiting { sink, bytes, ready, packet });
    }

    /// The packet at the head of a sink's queue, if it has arrived.
    pub(crate) fn peek(&self, sink: usize, now: u64) -> Option<&Packet> {
        let (arrival, packet) = self.sinks[sink].queue.front()?;
        (*arrival <= now).then_some(packet)
    }

    /// Takes the packet at the head of a sink's queue, if it has arrived.
    pub(crate) fn receive(&mut self, sink: usize, now: u64) -> Option<Packet> {
        self.peek(sink, now)?;
        self.arriving -= 1;
        self.sinks[sink].queue.pop_front().map(|(_, packet)| packet)
    }

    /// When the packet at the head of a sink's queue arrives.
    pub(crate) fn next_arrival(&self, sink: usize) -> u64 {
        self.sinks[sink].queue.front().map_or(NEVER, |&(arrival, _)| arrival)
    }

    /// Moves packets; the next cycle in which one may move. `arrivals` hears (sink, cycle).
    pub(crate) fn step(&mut self, now: u64, mut arrivals: impl FnMut(usize, u64)) -> u64 {
        if self.waiting == 0 {
            return NEVER;
        }
        let count = self.sources.len();
        let first = (now % count as u64) as usize;
        for turn in 0..count {
            let index = if first + turn < count { first + turn } else { first + turn - count };
            let source = &mut self.sources[index];
            let Some(head) = source.queue.front().filter(|head| head.ready <= now) else {
                continue;
            };
            let sink = &mut self.sinks[head.sink];
            if source.free > now || sink.free > now || sink.queue.len() >= self.capacity {
                continue;
            }
            let cycles = u64::from(head.bytes.div_ceil(self.width)).max(1);
            let arrival = now + cycles - 1 + self.latency;
            (source.free, sink.free) = (now + cycles, now + cycles);
            arrivals(head.sink, arrival);
            sink.queue.push_back((arrival, head.packet));
            source.queue.pop_front();
            self.waiting -= 1;
            self.arriving += 1;
        }
        let next = |source: &Port<Waiting>| {
            let head = source.queue.front()?;
            Some(head.ready.max(source.free).max(now + 1))
        };
        self.sources.iter().filter_map(next).min().unwrap_or(NEVER)
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.waiting == 0 && self.arriving == 0
    }
}
