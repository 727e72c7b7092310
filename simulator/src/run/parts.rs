//! The parts of the machine that run an epoch by themselves, SMs and memory partitions, in the
//! available threads.
//!
//! Parts sleep: an epoch costs time only for parts that have work in it, and for those that
//! received packets in the epoch before. At the end of its own step a part reports its state to the
//! thread between epochs.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::machine::clock::NEVER;
use crate::memory::device::DeviceMemory;
use crate::memory::endpoint::Memory;
use crate::observe::samples::Meter;
use crate::program::code::Code;
use crate::run::exchange::{Boxes, Exchange, Place, Set};
use crate::sm::context::Epoch;
use crate::sm::runner::SmRunner;

/// The number of polls before a thread that has finished its epoch sleeps: about fifty
/// microseconds.
const PATIENCE: u32 = 2500;

/// The outcome of an epoch, in SMs that one thread has run or in all.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Brought {
    /// Warp instructions.
    pub(crate) instructions: u64,
    /// Blocks that have left.
    pub(crate) blocks_done: u64,
    /// Threads have ended, passed a barrier, or changed shared or local memory.
    pub(crate) progress: bool,
    /// An SM has a trap.
    pub(crate) trapped: bool,
}

impl Brought {
    fn add(&mut self, other: Brought) {
        self.instructions += other.instructions;
        self.blocks_done += other.blocks_done;
        self.progress |= other.progress;
        self.trapped |= other.trapped;
    }
}

/// Counts down when a part has run its epoch, or panicked.
struct Ended<'a>(&'a AtomicUsize);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

/// All parts. Their numbers: those of the SMs, and after them those of the partitions.
pub(crate) struct Parts {
    /// None for an SM that is not built, because no block has arrived at it.
    sms: Vec<Option<Mutex<SmRunner>>>,
    memories: Vec<Mutex<Memory>>,
    exchange: Exchange,
    /// By part: the SMs' next cycle in which something can happen there, as far as the part knew at its last step.
    wakes: Vec<AtomicU64>,
    /// Parts that are to run the current epoch and that no thread has begun.
    due: Set,
    /// SMs that have something to do to global memory.
    logged: Set,
    /// SMs that blocks have left.
    left: Set,
}

fn lock<T>(part: &Mutex<T>) -> MutexGuard<'_, T> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

fn own<T>(part: &mut Mutex<T>) -> &mut T {
    part.get_mut().unwrap_or_else(PoisonError::into_inner)
}

impl Parts {
    /// The parts of a machine, for `threads` threads.
    pub(crate) fn new(sms: Vec<Option<SmRunner>>, memories: Vec<Memory>, threads: usize) -> Parts {
        let parts = sms.len() + memories.len();
        Parts {
            exchange: Exchange::new(parts, threads),
            wakes: (0..parts).map(|_| AtomicU64::new(NEVER)).collect(),
            due: Set::new(parts),
            logged: Set::new(sms.len()),
            left: Set::new(sms.len()),
            sms: sms.into_iter().map(|sm| sm.map(Mutex::new)).collect(),
            memories: memories.into_iter().map(Mutex::new).collect(),
        }
    }

    /// The number of parts.
    pub(crate) fn len(&self) -> usize {
        self.wakes.len()
    }

    /// The number of SMs.
    pub(crate) fn sm_count(&self) -> usize {
        self.sms.len()
    }

    /// An SM, if it is built.
    pub(crate) fn sm(&mut self, index: usize) -> Option<&mut SmRunner> {
        self.sms[index].as_mut().map(own)
    }

    /// The SMs that are built.
    pub(crate) fn sms(&mut self) -> impl DoubleEndedIterator<Item = &mut SmRunner> {
        self.sms.iter_mut().flatten().map(own)
    }

    pub(crate) fn memories(&mut self) -> impl Iterator<Item = &mut Memory> {
        self.memories.iter_mut().map(own)
    }

    /// The meters with which all parts read their counters.
    pub(crate) fn meters(&mut self) -> impl Iterator<Item = &mut Meter> {
        let sms = self.sms.iter_mut().flatten().map(|sm| &mut own(sm).meter);
        sms.chain(self.memories.iter_mut().map(|memory| &mut own(memory).meter))
    }

    /// A block is to start in an SM in a cycle; `build` builds the SM if it is not.
    pub(crate) fn assign(
        &mut self,
        index: usize,
        block: u64,
        cycle: u64,
        build: impl FnOnce() -> Result<SmRunner, String>,
    ) -> Result<(), String> {
        if self.sms[index].is_none() {
            self.sms[index] = Some(Mutex::new(build()?));
        }
        if let Some(sm) = self.sm(index) {
            sm.assign(block, cycle);
        }
        self.wakes[index].fetch_min(cycle, Ordering::Relaxed);
        Ok(())
    }

    /// Takes the SMs that blocks have left since the last call, in order, each with its number.
    pub(crate) fn take_left(&mut self, mut each: impl FnMut(usize, &mut SmRunner)) {
        let sms = &mut self.sms;
        self.left.drain(|index| {
            if let Some(sm) = &mut sms[index] {
                each(index, own(sm));
            }
        });
    }

    /// Takes the SMs that have something to do to global memory, in order, each with its number.
    pub(crate) fn take_logged(&mut self, mut each: impl FnMut(usize, &mut SmRunner)) {
        let sms = &mut self.sms;
        self.logged.drain(|index| {
            if let Some(sm) = &mut sms[index] {
                each(index, own(sm));
            }
        });
    }

    /// The SMs' next cycle in which something can happen, after an epoch that ended before cycle
    /// `end`: packets handed over in it must be examined in the next one. [`NEVER`] if nothing will
    /// ever happen.
    pub(crate) fn wake(&mut self, end: u64) -> u64 {
        if self.exchange.is_waiting() {
            return end;
        }
        self.wakes.iter().map(|wake| wake.load(Ordering::Relaxed)).min().unwrap_or(NEVER)
    }

    /// Returns true if every part is empty and nothing is in flight.
    pub(crate) fn are_idle(&mut self) -> bool {
        !self.exchange.has_packets()
            && self.sms().all(|sm| sm.is_idle())
            && self.memories().all(|memory| memory.is_idle())
    }

    /// The last cycle in which something happened.
    pub(crate) fn last(&mut self) -> u64 {
        let sms = self.sms().map(|sm| sm.last()).max();
        let memories = self.memories().map(|memory| memory.last()).max();
        sms.max(memories).unwrap_or(0)
    }

    /// Delivers the remaining messages when all parts are idle: credits.
    pub(crate) fn settle(&mut self) {
        self.exchange.turn();
        for part in 0..self.len() {
            self.deliver(part);
        }
    }

    fn deliver(&self, part: usize) {
        match part.checked_sub(self.sms.len()) {
            None => {
                if let Some(sm) = &self.sms[part] {
                    let sm = &mut *lock(sm);
                    self.exchange.take(part, &mut sm.link.sender, &mut sm.link.receiver);
                }
            }
            Some(memory) => {
                let memory = &mut *lock(&self.memories[memory]);
                self.exchange.take(part, &mut memory.sender, &mut memory.receiver);
            }
        }
    }

    /// Performs all work of an epoch. Each thread begins with parts of its own, the same in every
    /// epoch, whose state may be in its caches; a thread that has finished takes parts that others
    /// have not begun.
    pub(crate) fn run(
        &mut self,
        code: &Code,
        memory: &DeviceMemory,
        epoch: Epoch,
        threads: usize,
    ) -> Brought {
        self.exchange.turn();
        let (count, parts) = (self.find_due(epoch), self.len());
        self.exchange.rest(threads.min(count).max(1));
        let this = &*self;
        let left = AtomicUsize::new(count);
        let all = Mutex::new(Brought::default());
        // The thread that has begun a part ends it; no other thread has to be scheduled for that.
        let work = |first: usize| {
            let mut brought = Brought::default();
            let mut boxes = this.exchange.begin(first);
            let mut begin = |part| {
                if this.due.remove(part) {
                    let _ended = Ended(&left);
                    brought.add(this.run_part(part, code, memory, epoch, &mut boxes));
                }
            };
            (first..parts).step_by(threads).for_each(&mut begin);
            if threads > 1 {
                (0..parts).rev().for_each(&mut begin);
            }
            lock(&all).add(brought);
        };
        let threads = threads.min(count);
        if threads <= 1 {
            work(0);
        } else {
            let work = &|first: usize| {
                work(first);
                // The work that the others still have takes less time than falling asleep and
                // waking up.
                for _ in 0..PATIENCE {
                    if left.load(Ordering::Acquire) == 0 {
                        break;
                    }
                    std::hint::spin_loop();
                }
            };
            rayon::scope(|scope| {
                (1..threads).for_each(|first| scope.spawn(move |_| work(first)));
                work(0);
            });
        }
        *lock(&all)
    }

    /// Finds the parts that have something to do in an epoch; how many there are.
    fn find_due(&mut self, epoch: Epoch) -> usize {
        let mut count = 0;
        for (place, wakes) in self.wakes.chunks_mut(64).enumerate() {
            let waiting = self.exchange.waiting(place);
            for (bit, wake) in wakes.iter_mut().enumerate() {
                if *wake.get_mut() < epoch.to || epoch.all || waiting >> bit & 1 != 0 {
                    self.due.add(64 * place + bit);
                    count += 1;
                }
            }
        }
        count
    }

    /// The work of a part in an epoch, from the packets handed to it to those that it hands on.
    fn run_part(
        &self,
        part: usize,
        code: &Code,
        memory: &DeviceMemory,
        epoch: Epoch,
        boxes: &mut Boxes,
    ) -> Brought {
        let mut brought = Brought::default();
        let wake = match part.checked_sub(self.sms.len()) {
            None => {
                let Some(sm) = &self.sms[part] else {
                    return brought;
                };
                let sm = &mut *lock(sm);
                if self.exchange.take(part, &mut sm.link.sender, &mut sm.link.receiver) {
                    sm.notice();
                }
                sm.run(code, memory, epoch);
                let place = Place { number: part, others: self.sms.len() };
                boxes.put(place, &mut sm.link.sender, &mut sm.link.receiver);
                if !sm.log.is_empty() {
                    self.logged.add(part);
                }
                if sm.outcome.blocks_done != 0 {
                    sm.outcome.room = sm.room(None);
                    self.left.add(part);
                }
                brought = Brought {
                    instructions: sm.outcome.instructions,
                    blocks_done: sm.outcome.blocks_done,
                    progress: sm.outcome.progress,
                    trapped: sm.outcome.trap.is_some(),
                };
                sm.wake()
            }
            Some(number) => {
                let memory = &mut *lock(&self.memories[number]);
                if self.exchange.take(part, &mut memory.sender, &mut memory.receiver) {
                    memory.notice();
                }
                memory.run(epoch.from, epoch.to, epoch.all);
                let place = Place { number, others: 0 };
                boxes.put(place, &mut memory.sender, &mut memory.receiver);
                memory.wake()
            }
        };
        self.wakes[part].store(wake, Ordering::Relaxed);
        brought
    }
}
