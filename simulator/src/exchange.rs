//! What parts of the machine hand to each other from epoch to epoch: packets and credits.
//!
//! Each part has two boxes. In an epoch it takes what is in one of them, and the others put into the other one; in the next
//! epoch it is the other way round. So each part, in whichever thread and order they run, finds what was put there in the
//! epoch before, and that does not depend on the order in which others have put it: what comes from one of them is in its order, and
//! a sender and a receiver keep what belongs to different ones apart.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::memory::bytes::Bytes;
use crate::memory::interconnect::{Credit, Receiver, Sender, Sent};

/// Members of a range of numbers, which several threads may add and remove.
#[derive(Debug)]
pub(crate) struct Set(Vec<AtomicU64>);

impl Set {
    /// None of so many.
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

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| word.load(Ordering::Relaxed) == 0)
    }

    /// Removes all members, in order.
    pub(crate) fn drain(&mut self, mut each: impl FnMut(usize)) {
        for (place, word) in self.0.iter_mut().enumerate() {
            let mut bits = std::mem::take(word.get_mut());
            while bits != 0 {
                each(64 * place + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }
}

/// Which part puts something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Its number among those of its kind.
    pub(crate) number: usize,
    /// The number, among all parts, of the first of the other kind.
    pub(crate) others: usize,
}

/// What is in a box.
#[derive(Debug, Default)]
struct Mail {
    /// With the number of their source.
    packets: Vec<(u16, Sent)>,
    /// Of the writes among them: what they write.
    written: Vec<Bytes>,
    /// With the number of the sink whose they are.
    credits: Vec<(u16, Credit)>,
}

/// All boxes.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// Of even and of odd epochs, by part.
    boxes: [Vec<Mutex<Mail>>; 2],
    /// The parts whose boxes have something.
    full: [Set; 2],
    /// Packets were put in this epoch.
    packets: AtomicBool,
    /// The boxes into which is put.
    now: usize,
}

fn lock(mail: &Mutex<Mail>) -> MutexGuard<'_, Mail> {
    mail.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Exchange {
    /// Between so many parts.
    pub(crate) fn new(parts: usize) -> Exchange {
        Exchange {
            boxes: [(); 2].map(|()| (0..parts).map(|_| Mutex::default()).collect()),
            full: [Set::new(parts), Set::new(parts)],
            packets: AtomicBool::new(false),
            now: 0,
        }
    }

    /// An epoch begins: what was put is there to be taken. All that was there has been taken.
    pub(crate) fn turn(&mut self) {
        debug_assert!(self.full[1 - self.now].is_empty());
        self.now = 1 - self.now;
        *self.packets.get_mut() = false;
    }

    /// Whether something was put in this epoch.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.full[self.now].is_empty()
    }

    /// Whether packets were put in this epoch.
    pub(crate) fn has_packets(&self) -> bool {
        self.packets.load(Ordering::Relaxed)
    }

    /// Whether something was put for a part in the epoch before.
    #[inline]
    pub(crate) fn waits_for(&self, part: usize) -> bool {
        self.full[1 - self.now].has(part)
    }

    /// Hands to a part what was put for it in the epoch before; whether there was something.
    pub(crate) fn take(&self, part: usize, sender: &mut Sender, receiver: &mut Receiver) -> bool {
        let before = 1 - self.now;
        if !self.full[before].remove(part) {
            return false;
        }
        let mut mail = lock(&self.boxes[before][part]);
        let Mail { packets, written, credits } = &mut *mail;
        let mut written = written.drain(..);
        for (source, sent) in packets.drain(..) {
            let written = if sent.is_write() { written.next() } else { None };
            receiver.arrive(usize::from(source), sent, written);
        }
        for (sink, credit) in credits.drain(..) {
            sender.credit(usize::from(sink), credit);
        }
        true
    }

    /// Puts what has left a part.
    pub(crate) fn put(&self, place: Place, sender: &mut Sender, receiver: &mut Receiver) {
        let (number, full) = (place.number as u16, &self.full[self.now]);
        let boxes = &self.boxes[self.now][place.others..];
        let open = |other: u16| {
            let mail = lock(&boxes[usize::from(other)]);
            if mail.packets.is_empty() && mail.credits.is_empty() {
                full.add(place.others + usize::from(other));
            }
            mail
        };
        let mut any = false;
        sender.hand_over(|sent, written| {
            any = true;
            let mut mail = open(sent.sink);
            mail.packets.push((number, sent));
            mail.written.extend(written);
        });
        for credit in receiver.take_freed() {
            open(credit.source).credits.push((number, credit));
        }
        if any && !self.has_packets() {
            self.packets.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allocation::Requester;
    use crate::clock::Clock;
    use crate::machine::Machine;
    use crate::memory::{Packet, RequestKind, Waiter};

    #[test]
    fn members_are_removed_once_and_in_order() {
        let mut set = Set::new(130);
        [129, 0, 64, 63, 64].into_iter().for_each(|member| set.add(member));
        assert!(set.has(63) && !set.has(62));
        assert!(set.remove(63) && !set.remove(63));
        let mut members = Vec::new();
        set.drain(|member| members.push(member));
        assert_eq!(members, [0, 64, 129]);
        assert!(set.is_empty());
    }

    /// The lines that part 2 receives of a packet from each of two others, which put them in an order.
    fn received(order: [usize; 2]) -> Vec<u64> {
        let machine = Machine::load("tiny", &[]).expect("it is good");
        let clock = Clock::new(1.0, 1.0);
        let sender = |sinks| Sender::new(&machine.interconnect, sinks, clock);
        let receiver = |sources| Receiver::new(&machine.interconnect, sources, clock);
        let mut exchange = Exchange::new(3);
        for number in order {
            let (line, waiter) = (number as u64, Waiter::Nobody);
            let packet =
                Packet { by: Requester::NONE, kind: RequestKind::Read, line, sectors: 1, waiter };
            let mut source = sender(1);
            source.send(0, 8, 0, packet);
            source.step(0);
            exchange.put(Place { number, others: 2 }, &mut source, &mut receiver(1));
        }
        let (mut back, mut sink) = (sender(2), receiver(2));
        assert!(!exchange.take(2, &mut back, &mut sink), "it was put in this epoch");
        assert!(exchange.is_waiting() && exchange.has_packets() && !exchange.waits_for(2));
        exchange.turn();
        assert!(exchange.waits_for(2) && !exchange.has_packets());
        assert!(exchange.take(2, &mut back, &mut sink));
        assert!(!exchange.take(2, &mut back, &mut sink), "it was taken");
        let lines = (0..2).filter_map(|_| Some(sink.receive(100)?.line)).collect();
        // Both credits go back.
        exchange.put(Place { number: 0, others: 0 }, &mut back, &mut sink);
        assert!(exchange.is_waiting() && !exchange.has_packets());
        exchange.turn();
        assert!(exchange.waits_for(0) && exchange.waits_for(1));
        lines
    }

    #[test]
    fn what_is_put_is_there_in_the_next_epoch_whoever_puts_first() {
        assert_eq!(received([0, 1]), [0, 1]);
        assert_eq!(received([1, 0]), [0, 1]);
    }
}
