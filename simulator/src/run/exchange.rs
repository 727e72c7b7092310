//! Hand-over between parts of the machine from epoch to epoch: packets and credits.
//!
//! Each thread has a box for every part. During an epoch it fills the box of a part with messages
//! from the parts that it runs. In the next epoch the receiving part, in any thread, reads its
//! boxes of all threads. The boxes to write and those to read are swapped between epochs, so no
//! written data is shared, and no packet takes a lock. Threads and order of the parts do not
//! matter: messages from one part are in one box, in order, and a sender and a receiver keep those
//! of different partners apart.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::execute::lanes::lanes_of;
use crate::memory::bytes::Bytes;
use crate::memory::interconnect::{Credit, Receiver, Sender, Sent};

/// Members of a range of numbers, which several threads may add and remove.
#[derive(Debug)]
pub(crate) struct Set(Vec<AtomicU64>);

impl Set {
    /// An empty set of `count` parts.
    pub(crate) fn new(count: usize) -> Set {
        Set((0..count.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline]
    pub(crate) fn has(&self, member: usize) -> bool {
        self.0[member / 64].load(Ordering::Relaxed) >> (member % 64) & 1 != 0
    }

    #[inline]
    pub(crate) fn add(&self, member: usize) {
        if !self.has(member) {
            self.0[member / 64].fetch_or(1 << (member % 64), Ordering::Relaxed);
        }
    }

    /// Removes a member; whether this has done it, and no other thread.
    #[inline]
    pub(crate) fn remove(&self, member: usize) -> bool {
        let bit = 1 << (member % 64);
        self.has(member) && self.0[member / 64].fetch_and(!bit, Ordering::Relaxed) & bit != 0
    }

    /// Removes all members, in order.
    pub(crate) fn drain(&mut self, mut each: impl FnMut(usize)) {
        for (place, word) in self.0.iter_mut().enumerate() {
            lanes_of(std::mem::take(word.get_mut())).for_each(|bit| each(64 * place + bit));
        }
    }
}

/// The part that fills boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Its number among those of its kind.
    pub(crate) number: usize,
    /// The number, among all parts, of the first of the other kind.
    pub(crate) others: usize,
}

/// The contents of a box.
#[derive(Debug, Default)]
struct Mail {
    /// Each with the number of its source.
    packets: Vec<Sent>,
    /// For writes among them: the bytes that they write.
    written: Vec<Bytes>,
    /// Each with the number of its sink.
    credits: Vec<Credit>,
}

/// The boxes of a thread, by part.
#[derive(Debug)]
pub(crate) struct Boxes {
    mail: Vec<Mail>,
    /// The parts in whose boxes is something, a bit each.
    full: Vec<u64>,
    /// Packets are among it.
    has_packets: bool,
}

impl Boxes {
    fn new(parts: usize) -> Boxes {
        let mail = (0..parts).map(|_| Mail::default()).collect();
        Boxes { mail, full: vec![0; parts.div_ceil(64)], has_packets: false }
    }

    /// Empties all boxes.
    fn clear(&mut self) {
        self.has_packets = false;
        for (place, word) in self.full.iter_mut().enumerate() {
            for bit in lanes_of(std::mem::take(word)) {
                let Mail { packets, written, credits } = &mut self.mail[64 * place + bit];
                packets.clear();
                written.clear();
                credits.clear();
            }
        }
    }

    fn is_full(&self, part: usize) -> bool {
        self.full[part / 64] >> (part % 64) & 1 != 0
    }

    #[inline]
    fn open(&mut self, part: usize) -> &mut Mail {
        self.full[part / 64] |= 1 << (part % 64);
        &mut self.mail[part]
    }

    /// Puts the output of a part into boxes.
    pub(crate) fn put(&mut self, place: Place, sender: &mut Sender, receiver: &mut Receiver) {
        let number = place.number as u16;
        sender.hand_over(|sent, written| {
            self.has_packets = true;
            let mail = self.open(place.others + usize::from(sent.other));
            mail.packets.push(sent.at_sink(number));
            if let Some(written) = written {
                mail.written.push(*written);
            }
        });
        for credit in receiver.take_freed() {
            let mail = self.open(place.others + usize::from(credit.other));
            mail.credits.push(credit.at_source(number));
        }
    }
}

/// All boxes.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// By thread: those into which is put in this epoch.
    now: Vec<Mutex<Boxes>>,
    /// By thread: those into which was put in the epoch before.
    before: Vec<Boxes>,
}

impl Exchange {
    /// An exchange between `parts` parts, in `threads` threads.
    pub(crate) fn new(parts: usize, threads: usize) -> Exchange {
        let boxes = || (0..threads).map(|_| Boxes::new(parts));
        Exchange { now: boxes().map(Mutex::new).collect(), before: boxes().collect() }
    }

    /// An epoch begins: filled boxes can now be read. All earlier ones have been read.
    pub(crate) fn turn(&mut self) {
        for (now, before) in self.now.iter_mut().zip(&mut self.before) {
            std::mem::swap(now.get_mut().unwrap_or_else(PoisonError::into_inner), before);
        }
    }

    /// The boxes that a thread fills in this epoch, emptied. Called once per thread.
    pub(crate) fn begin(&self, thread: usize) -> MutexGuard<'_, Boxes> {
        let mut boxes = self.now[thread].lock().unwrap_or_else(PoisonError::into_inner);
        boxes.clear();
        boxes
    }

    /// Nothing is put in this epoch by threads from a number on.
    pub(crate) fn rest(&mut self, from: usize) {
        for boxes in self.now.iter_mut().skip(from) {
            boxes.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    fn put_now(&mut self) -> impl Iterator<Item = &Boxes> {
        self.now.iter_mut().map(|boxes| &*boxes.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns true if something was put in this epoch.
    pub(crate) fn is_waiting(&mut self) -> bool {
        self.put_now().any(|boxes| boxes.full.iter().any(|word| *word != 0))
    }

    /// Returns true if packets were put in this epoch.
    pub(crate) fn has_packets(&mut self) -> bool {
        self.put_now().any(|boxes| boxes.has_packets)
    }

    /// The parts for which something was put in the epoch before, 64 from a multiple of that on, a bit each.
    #[inline]
    pub(crate) fn waiting(&self, place: usize) -> u64 {
        self.before.iter().fold(0, |all, boxes| all | boxes.full[place])
    }

    /// Hands a part the contents of its boxes from the epoch before. Returns true if there were
    /// any.
    pub(crate) fn take(&self, part: usize, sender: &mut Sender, receiver: &mut Receiver) -> bool {
        let mut any = false;
        for boxes in self.before.iter().filter(|boxes| boxes.is_full(part)) {
            any = true;
            let Mail { packets, written, credits } = &boxes.mail[part];
            let mut written = written.iter();
            for sent in packets {
                let written = if sent.is_write() { written.next() } else { None };
                receiver.arrive(usize::from(sent.other), sent, written);
            }
            for credit in credits {
                sender.credit(usize::from(credit.other), *credit);
            }
        }
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::clock::Clock;
    use crate::machine::load::load_machine;
    use crate::mechanisms::allocation::Requester;
    use crate::memory::packet::{Packet, RequestKind, Waiter};

    #[test]
    fn members_are_removed_once_and_in_order() {
        let mut set = Set::new(130);
        [129, 0, 64, 63, 64].into_iter().for_each(|member| set.add(member));
        assert!(set.has(63) && !set.has(62));
        assert!(set.remove(63) && !set.remove(63));
        let mut members = Vec::new();
        set.drain(|member| members.push(member));
        assert_eq!(members, [0, 64, 129]);
        set.drain(|member| panic!("{member} was removed"));
    }

    /// The lines that part 2 receives of a packet from each of two others, which put them in an order, each in its thread.
    fn received(order: [usize; 2]) -> Vec<u64> {
        let machine = load_machine("tiny", &[]).expect("it is good");
        let clock = Clock::new(1.0, 1.0);
        let sender = |sinks| Sender::new(&machine.interconnect, sinks, clock);
        let receiver = |sources| Receiver::new(&machine.interconnect, sources, clock);
        let mut exchange = Exchange::new(3, 2);
        for number in order {
            let (line, waiter) = (number as u64, Waiter::Nobody);
            let packet =
                Packet { by: Requester::NONE, kind: RequestKind::Read, line, sectors: 1, waiter };
            let mut source = sender(1);
            source.send(0, 8, 0, packet);
            source.step(0);
            let place = Place { number, others: 2 };
            exchange.begin(order[number]).put(place, &mut source, &mut receiver(1));
        }
        let (mut back, mut sink) = (sender(2), receiver(2));
        assert!(!exchange.take(2, &mut back, &mut sink), "it was put in this epoch");
        assert!(exchange.is_waiting() && exchange.has_packets() && exchange.waiting(0) == 0);
        exchange.turn();
        exchange.rest(0);
        assert!(exchange.waiting(0) == 0b100 && !exchange.has_packets() && !exchange.is_waiting());
        assert!(exchange.take(2, &mut back, &mut sink));
        let lines = (0..2).filter_map(|_| Some(sink.receive(100)?.line)).collect();
        // Both credits go back.
        exchange.begin(1).put(Place { number: 0, others: 0 }, &mut back, &mut sink);
        assert!(exchange.is_waiting() && !exchange.has_packets());
        exchange.turn();
        assert_eq!(exchange.waiting(0), 0b11);
        lines
    }

    #[test]
    fn what_is_put_is_there_in_the_next_epoch_whoever_puts_it_first() {
        assert_eq!(received([0, 1]), [0, 1]);
        assert_eq!(received([1, 0]), [0, 1]);
    }
}
