//! The crossbar between SMs and partitions, in each direction: a sender at each source, a receiver
//! at each sink, credits between them.
//!
//! A sender has one queue; its port moves a fixed number of bytes per cycle. A packet leaves when
//! the port is free and the sender has a credit for the sink: a place in the buffer that the sink
//! keeps for this source. It arrives `latency` cycles after its last byte left. The sink's port
//! takes packets from its buffers in turn, as fast as a sender sends; the credit of a removed
//! packet returns to the source `latency` cycles later. An action at one end has no effect at the
//! other end for `latency` cycles, so both ends can be simulated that far independently of each
//! other.
//!
//! The data of a write is not in its packet, which would be twice as large: it goes from queue to
//! queue beside it. Packets from a source to a sink never overtake each other.
//!
//! Times inside are cycles of the interconnect's clock; callers count in their own.

use std::collections::VecDeque;

use super::bytes::Bytes;
use crate::execute::lanes::lanes_of;
use crate::machine::Interconnect as Config;
use crate::machine::clock::{Clock, NEVER};
use crate::memory::packet::Packet;

/// A packet that waits to leave or is in flight to a sink.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sent {
    /// The port at the other end: the sink, for the sink the source.
    pub(crate) other: u16,
    /// Cycles that it takes at a port.
    cycles: u32,
    /// It may not leave before; once it has left, when it arrives.
    time: u64,
    packet: Packet,
}

impl Sent {
    /// This packet at its sink, which identifies it by the number of its source.
    #[inline]
    pub(crate) fn at_sink(self, source: u16) -> Sent {
        Sent { other: source, ..self }
    }

    /// Returns true if it is a write, which carries bytes.
    #[inline]
    pub(crate) fn is_write(&self) -> bool {
        self.packet.kind.is_write()
    }
}

/// A credit in flight back to a source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Credit {
    /// The port at the other end: the source, for the source the sink.
    pub(crate) other: u16,
    arrival: u64,
}

impl Credit {
    /// This credit at its source, which identifies it by the number of the sink.
    #[inline]
    pub(crate) fn at_source(self, sink: u16) -> Credit {
        Credit { other: sink, ..self }
    }
}

/// A source's share of a sink's credits.
#[derive(Clone, Debug)]
struct Credits {
    /// Credits that were never used. When they are used up, returned ones are used.
    here: u32,
    /// The arrival times of returning credits.
    returning: VecDeque<u64>,
}

/// The sending end of a source.
pub(crate) struct Sender {
    /// From the owner's cycles to the interconnect's.
    clock: Clock,
    latency: u64,
    width: u32,
    capacity: usize,
    /// Packets that have left since they were last handed over, `left` of them, and after them
    /// those that wait.
    packets: Vec<Sent>,
    left: usize,
    /// For writes among them: the bytes that they write.
    written: Vec<Bytes>,
    /// The cycle in which the port can move the next packet.
    free: u64,
    /// By sink.
    sinks: Vec<Credits>,
    /// Credits of each sink when nothing is in flight.
    all_credits: u32,
    /// The interconnect's cycle in which the packet at the head can leave, as far as is known; and the
    /// owner's cycle in which it is to be looked for.
    departure: u64,
    due: u64,
}

impl Sender {
    /// A sender to `sinks` sinks; `clock` is from its owner's cycles to the interconnect's.
    pub(crate) fn new(config: &Config, sinks: usize, clock: Clock) -> Sender {
        Sender {
            clock,
            latency: u64::from(config.latency),
            width: config.bytes_per_cycle,
            capacity: config.queue as usize,
            packets: Vec::new(),
            left: 0,
            written: Vec::new(),
            free: 0,
            sinks: vec![Credits { here: config.credits, returning: VecDeque::new() }; sinks],
            all_credits: config.credits,
            departure: NEVER,
            due: NEVER,
        }
    }

    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        self.packets.len() - self.left < self.capacity
    }

    /// Queues a packet; it may leave from the owner's cycle `ready` on. The cycles that it takes at a port: its flits.
    pub(crate) fn send(&mut self, sink: usize, bytes: u32, ready: u64, packet: Packet) -> u64 {
        let cycles = bytes.div_ceil(self.width).max(1);
        let time = self.clock.at_or_after(ready);
        self.packets.push(Sent { other: sink as u16, cycles, time, packet });
        if self.packets.len() == self.left + 1 {
            self.find_departure();
            self.find_due();
        }
        u64::from(cycles)
    }

    /// The last queued packet is a write of these bytes.
    pub(crate) fn writes(&mut self, bytes: &Bytes) {
        self.written.push(*bytes);
    }

    #[inline]
    fn find_departure(&mut self) {
        self.departure = self.packets.get(self.left).map_or(NEVER, |head| {
            let (time, credits) = (head.time.max(self.free), &self.sinks[usize::from(head.other)]);
            match credits.here {
                0 => credits.returning.front().map_or(NEVER, |back| time.max(*back)),
                _ => time,
            }
        });
    }

    #[inline]
    fn find_due(&mut self) {
        self.due = self.clock.inverse().at_or_before(self.departure);
    }

    /// Lets packets leave in the owner's cycle `now`.
    #[inline]
    pub(crate) fn step(&mut self, now: u64) {
        if self.due <= now {
            self.leave(now);
        }
    }

    #[inline(never)]
    fn leave(&mut self, now: u64) {
        let end = self.clock.at_or_after(now + 1);
        while self.departure < end {
            let Some(head) = self.packets.get_mut(self.left) else {
                break;
            };
            let credits = &mut self.sinks[usize::from(head.other)];
            if credits.here == 0 {
                credits.returning.pop_front();
            } else {
                credits.here -= 1;
            }
            self.free = self.departure + u64::from(head.cycles);
            head.time = self.free - 1 + self.latency;
            self.left += 1;
            self.find_departure();
        }
        self.find_due();
    }

    /// The owner's next cycle in which a packet can leave, as far as is known.
    #[inline]
    pub(crate) fn next_event(&self) -> u64 {
        self.due
    }

    /// Hands over the packets that have left, with their bytes.
    pub(crate) fn hand_over(&mut self, mut to: impl FnMut(&Sent, Option<&Bytes>)) {
        let mut writes = 0;
        for sent in &self.packets[..self.left] {
            let is_write = sent.is_write();
            to(sent, if is_write { self.written.get(writes) } else { None });
            writes += usize::from(is_write);
        }
        self.packets.drain(..self.left);
        self.written.drain(..writes);
        self.left = 0;
    }

    /// A credit of a sink returns. Those of a sink are passed in the order of their arrival.
    pub(crate) fn credit(&mut self, sink: usize, credit: Credit) {
        self.sinks[sink].returning.push_back(credit.arrival);
        // Otherwise no packet waits for a credit.
        if self.departure == NEVER && self.packets.len() != self.left {
            self.find_departure();
            self.find_due();
        }
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.packets.is_empty() && self.written.is_empty()
    }

    /// Returns true if nothing is stored here, and all credits are here or returning.
    pub(crate) fn is_balanced(&self) -> bool {
        let count = |credits: &Credits| credits.here as usize + credits.returning.len();
        self.is_idle() && self.sinks.iter().all(|sink| count(sink) == self.all_credits as usize)
    }
}

/// A sink's summary of a source's first packet.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// The cycle of its arrival; [`NEVER`] if there is none.
    arrival: u64,
    /// Cycles after the first that it takes at a port.
    more: u64,
}

impl Head {
    const NONE: Head = Head { arrival: NEVER, more: 0 };

    fn of(sent: &Sent) -> Head {
        Head { arrival: sent.time, more: u64::from(sent.cycles) - 1 }
    }

    /// The cycle in which it can be through a port that is free from a cycle on.
    #[inline]
    fn through(self, free: u64) -> u64 {
        self.arrival.max(free + self.more)
    }
}

/// The sources whose packets have arrived.
struct Sources {
    /// A bit each.
    words: Vec<u64>,
}

impl Sources {
    /// No sources out of `count`.
    fn new(count: usize) -> Sources {
        Sources { words: vec![0; count.div_ceil(64)] }
    }

    #[inline]
    fn add(&mut self, source: usize) {
        self.words[source / 64] |= 1 << (source % 64);
    }

    #[inline]
    fn remove(&mut self, source: usize) {
        self.words[source / 64] &= !(1 << (source % 64));
    }

    /// The first one from a turn on, round and round, that satisfies a condition.
    #[inline]
    fn find(&self, turn: usize, mut is_it: impl FnMut(usize) -> bool) -> Option<usize> {
        if let [word] = self.words[..] {
            let from_turn = lanes_of(word.rotate_right(turn as u32));
            return from_turn.map(|bit| (bit + turn) % 64).find(|&source| is_it(source));
        }
        let (middle, before) = (turn / 64, (1 << (turn % 64)) - 1);
        let count = self.words.len();
        for step in 0..=count {
            let place = if middle + step < count { middle + step } else { middle + step - count };
            let mut bits = match step {
                0 => self.words[place] & !before,
                _ if step == count => self.words[place] & before,
                _ => self.words[place],
            };
            while bits != 0 {
                let source = 64 * place + bits.trailing_zeros() as usize;
                if is_it(source) {
                    return Some(source);
                }
                bits &= bits - 1;
            }
        }
        None
    }
}

/// The receiving end of a sink.
pub(crate) struct Receiver {
    /// From the owner's cycles to the interconnect's.
    clock: Clock,
    latency: u64,
    /// By source: packets that have arrived or will, by arrival; and the first of them.
    buffers: Vec<VecDeque<Sent>>,
    /// For writes among them: the bytes that they write.
    written: Vec<VecDeque<Bytes>>,
    heads: Vec<Head>,
    sources: Sources,
    packets: usize,
    /// The source whose turn is next.
    turn: usize,
    /// The source of the packet at the port, which stays there until it is taken.
    chosen: Option<usize>,
    /// The cycle in which the port can move the next packet.
    free: u64,
    /// Credits that go back, since they were last taken.
    freed: Vec<Credit>,
    /// The interconnect's cycle in which a packet is through the port, and its source if it is
    /// taken then; and the owner's cycle of its arrival.
    next: u64,
    first: usize,
    due: u64,
}

impl Receiver {
    /// A receiver from `sources` sources; `clock` is from its owner's cycles to the interconnect's.
    pub(crate) fn new(config: &Config, sources: usize, clock: Clock) -> Receiver {
        Receiver {
            clock,
            latency: u64::from(config.latency),
            buffers: (0..sources).map(|_| VecDeque::new()).collect(),
            written: (0..sources).map(|_| VecDeque::new()).collect(),
            heads: vec![Head::NONE; sources],
            sources: Sources::new(sources),
            packets: 0,
            turn: 0,
            chosen: None,
            free: 0,
            freed: Vec::new(),
            next: NEVER,
            first: 0,
            due: NEVER,
        }
    }

    /// A packet is in flight to this receiver.
    pub(crate) fn arrive(&mut self, source: usize, sent: &Sent, written: Option<&Bytes>) {
        self.packets += 1;
        if let Some(written) = written {
            self.written[source].push_back(*written);
        }
        if self.buffers[source].is_empty() {
            let head = Head::of(sent);
            self.heads[source] = head;
            self.sources.add(source);
            let through = head.through(self.free);
            let is_sooner = through == self.next && self.wait(source) < self.wait(self.first);
            if through < self.next || is_sooner {
                self.expect(through, source);
            }
        }
        self.buffers[source].push_back(*sent);
    }

    /// The number of sources that go before one, if all send.
    fn wait(&self, source: usize) -> usize {
        if source < self.turn { source + self.heads.len() - self.turn } else { source - self.turn }
    }

    /// The next packet that is through the port.
    fn expect(&mut self, next: u64, first: usize) {
        (self.next, self.first) = (next, first);
        self.due = self.clock.inverse().at_or_after(next);
    }

    /// Looks for the next packet that is through the port: the first one from the turn on, round and round.
    fn look(&mut self) {
        let (mut next, mut first) = (NEVER, self.turn);
        self.sources.find(self.turn, |source| {
            let through = self.heads[source].through(self.free);
            if through < next {
                (next, first) = (through, source);
            }
            // Then none is sooner.
            through == self.free
        });
        self.expect(next, first);
    }

    /// The packet at the port, if one is through it in the owner's cycle `now`.
    #[inline]
    pub(crate) fn peek(&mut self, now: u64) -> Option<&Packet> {
        if now < self.due { None } else { self.peek_due(now) }
    }

    /// The same, from the cycle on in which a packet is through the port.
    #[inline(never)]
    fn peek_due(&mut self, now: u64) -> Option<&Packet> {
        let chosen = match self.chosen {
            Some(chosen) => chosen,
            None => self.choose(now)?,
        };
        self.buffers[chosen].front().map(|sent| &sent.packet)
    }

    /// Chooses the packet that is at the port from now on, if one is through it.
    #[inline]
    fn choose(&mut self, now: u64) -> Option<usize> {
        let time = self.clock.at_or_before(now);
        self.chosen = if time == self.next { Some(self.first) } else { self.first_through(time) };
        self.chosen
    }

    /// The first source from the turn on whose packet is through the port at a time.
    #[inline(never)]
    fn first_through(&self, time: u64) -> Option<usize> {
        self.sources.find(self.turn, |source| self.heads[source].through(self.free) <= time)
    }

    /// The bytes that the packet at the port writes; it is a write.
    pub(crate) fn written(&self) -> Bytes {
        let written = self.chosen.and_then(|chosen| self.written[chosen].front());
        written.copied().unwrap_or_default()
    }

    /// Takes the packet at the port.
    #[inline]
    pub(crate) fn receive(&mut self, now: u64) -> Option<Packet> {
        let packet = *self.peek(now)?;
        self.remove(now);
        Some(packet)
    }

    /// Removes the packet that [`Receiver::peek`] returned.
    pub(crate) fn remove(&mut self, now: u64) {
        let Some(source) = self.chosen.take() else {
            return;
        };
        let through = self.heads[source].through(self.free);
        let buffer = &mut self.buffers[source];
        let was_write = buffer.pop_front().is_some_and(|sent| sent.is_write());
        match buffer.front() {
            Some(sent) => self.heads[source] = Head::of(sent),
            None => self.sources.remove(source),
        }
        if was_write {
            self.written[source].pop_front();
        }
        self.packets -= 1;
        self.turn = if source + 1 == self.buffers.len() { 0 } else { source + 1 };
        self.free = through + 1;
        // A packet that had to wait gives its place back when it is taken.
        let taken = through.max(self.clock.at_or_before(now));
        self.freed.push(Credit { other: source as u16, arrival: taken + self.latency });
        self.look();
    }

    /// The owner's first cycle in which a packet is at the port.
    #[inline]
    pub(crate) fn next_event(&self) -> u64 {
        self.due
    }

    /// Takes the credits that go back.
    pub(crate) fn take_freed(&mut self) -> std::vec::Drain<'_, Credit> {
        self.freed.drain(..)
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.packets == 0
    }

    /// Returns true if nothing is stored here, and all credits were returned.
    pub(crate) fn is_balanced(&self) -> bool {
        let written = self.written.iter().all(VecDeque::is_empty);
        let buffers = self.buffers.iter().all(VecDeque::is_empty);
        self.is_idle() && buffers && written && self.freed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::load::load_machine;
    use crate::mechanisms::allocation::Requester;
    use crate::memory::packet::{RequestKind, Waiter};

    #[test]
    fn a_credit_that_does_not_return_is_missed() {
        let machine = load_machine("tiny", &[]).unwrap();
        let clock = Clock::new(1.0, 1.0);
        let mut sender = Sender::new(&machine.interconnect, 1, clock);
        let mut receiver = Receiver::new(&machine.interconnect, 1, clock);
        assert!(sender.is_balanced() && receiver.is_balanced());
        let packet = Packet {
            by: Requester::NONE,
            kind: RequestKind::Read,
            line: 0,
            sectors: 1,
            waiter: Waiter::Nobody,
        };
        sender.send(0, 8, 0, packet);
        sender.step(0);
        let mut sent = Vec::new();
        sender.hand_over(|packet, _| sent.push(*packet));
        assert!(!sender.is_balanced(), "the credit is with the packet");
        receiver.arrive(0, &sent[0], None);
        assert!(!receiver.is_balanced(), "a packet is here");
        assert!(receiver.receive(100).is_some());
        assert!(!receiver.is_balanced(), "a credit is to be returned");
        let freed: Vec<Credit> = receiver.take_freed().collect();
        assert!(receiver.is_balanced() && !sender.is_balanced());
        sender.credit(0, freed[0]);
        assert!(sender.is_balanced(), "it is on its way back");
    }
}
