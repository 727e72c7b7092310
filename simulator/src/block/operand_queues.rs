//! Operand queues: values that the second stream of a kernel has prepared for the warps of a block,
//! which dequeue them in place of a register.
//!
//! A warp has a queue of addresses and one of predicates (Wang and Lin, "Decoupled affine
//! computation for SIMT GPUs", ISCA 2017, §4.1: PWAQ and PWPQ). A mechanism of the slot `affine`
//! fills them. This file has the dequeuing side, and the faults of streams that do not fit each
//! other.

use std::collections::VecDeque;
use std::fmt;

use reconverge_isa::Queue;

use crate::handles::HolderId;

/// Something that a warp dequeues.
#[derive(Clone, Debug)]
pub(crate) struct QueuedOperand {
    pub(crate) queue: Queue,
    pub(crate) site: u8,
    /// The lanes that it is for.
    pub(crate) mask: u64,
    /// By lane: addresses; or none.
    pub(crate) addresses: Box<[u32]>,
    /// Lanes for which a predicate is true.
    pub(crate) truth: u64,
    /// The number of the early load, if the affine warp requested its lines.
    pub(crate) early: Option<HolderId>,
    /// All of them have arrived.
    pub(crate) ready: bool,
    /// The second stream's state after it, if a livelock was being searched for.
    pub(crate) state: Option<u64>,
}

/// The queues of a warp.
#[derive(Clone, Debug, Default)]
pub(crate) struct WarpQueues {
    pub(crate) addresses: VecDeque<QueuedOperand>,
    pub(crate) predicates: VecDeque<QueuedOperand>,
}

impl WarpQueues {
    /// The queue that something is taken from.
    pub(crate) fn of(&self, queue: Queue) -> &VecDeque<QueuedOperand> {
        match queue {
            Queue::Data | Queue::Address => &self.addresses,
            Queue::Predicate => &self.predicates,
        }
    }

    pub(crate) fn of_mut(&mut self, queue: Queue) -> &mut VecDeque<QueuedOperand> {
        match queue {
            Queue::Data | Queue::Address => &mut self.addresses,
            Queue::Predicate => &mut self.predicates,
        }
    }
}

/// Why a warp cannot dequeue yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueueStall {
    /// Nothing is in its queue.
    Empty,
    /// Lines that the affine warp requested have not arrived.
    EarlyLoad,
}

/// The queues of a block's warps, and which matched barriers its warps have passed.
#[derive(Clone, Debug, Default)]
pub struct OperandQueues {
    pub(crate) warps: Vec<WarpQueues>,
    /// By warp: identifies the later addresses, and the later predicates. It is the second stream's
    /// state after the record taken last; a count where that is unknown.
    follows: Vec<[u64; 2]>,
    /// By warp: how often something was taken.
    taken: Vec<u64>,
    /// The early load of the record taken last.
    pub(crate) early: Option<HolderId>,
    /// No further records will arrive.
    pub(crate) over: bool,
    /// By warp: matched barriers that it waits at, and has passed.
    waits: Vec<u32>,
    passed: Vec<u32>,
}

impl OperandQueues {
    /// A block of `warps` warps starts.
    pub(crate) fn reset(&mut self, warps: usize) {
        self.warps.clear();
        self.warps.resize_with(warps, WarpQueues::default);
        for counts in [&mut self.waits, &mut self.passed] {
            counts.clear();
            counts.resize(warps, 0);
        }
        (self.early, self.over) = (None, false);
        self.follows.clear();
        self.follows.resize(warps, [0; 2]);
        self.taken.clear();
        self.taken.resize(warps, 0);
    }

    /// Takes the next record from a queue of a warp.
    pub(crate) fn take(&mut self, warp: usize, queue: Queue) {
        let record = self.warps[warp].of_mut(queue).pop_front();
        let state = record.as_ref().and_then(|record| record.state);
        self.early = record.and_then(|record| record.early);
        self.taken[warp] += 1;
        let at = usize::from(queue == Queue::Predicate);
        self.follows[warp][at] = state.unwrap_or(self.taken[warp]);
    }

    /// The reason that keeps a warp from dequeuing now.
    pub(crate) fn stall(&self, warp: usize, queue: Queue) -> Option<QueueStall> {
        match self.warps[warp].of(queue).front() {
            // Then it is a fault, which the instruction finds when it issues.
            None if self.over => None,
            None => Some(QueueStall::Empty),
            Some(operand) => (!operand.ready).then_some(QueueStall::EarlyLoad),
        }
    }

    /// The number of records taken for a warp.
    pub(crate) fn taken(&self, warp: usize) -> u64 {
        self.taken[warp]
    }

    /// Numbers that identify all later records of a warp.
    pub(crate) fn follows(&self, warp: usize) -> [u64; 2] {
        self.follows[warp]
    }

    /// A warp waits at a matched barrier.
    pub(crate) fn arrive(&mut self, warp: usize) {
        self.waits[warp] += 1;
    }

    /// The barrier has opened.
    pub(crate) fn open(&mut self) {
        for (passed, waits) in self.passed.iter_mut().zip(&mut self.waits) {
            *passed += std::mem::take(waits);
        }
    }

    /// The number of matched barriers that a warp has passed.
    pub fn passed(&self, warp: usize) -> u32 {
        self.passed[warp]
    }

    /// A warp that has something in a queue.
    pub(crate) fn left(&self) -> Option<(usize, &QueuedOperand)> {
        let heads =
            self.warps.iter().enumerate().map(|(warp, queues)| {
                (warp, queues.addresses.front().or(queues.predicates.front()))
            });
        heads.into_iter().find_map(|(warp, head)| Some((warp, head?)))
    }
}

/// A mismatch between the two streams of a kernel: a fault of the compiler, or of the program's
/// author.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueFault {
    /// A warp dequeues at a site, and the second stream, which has ended, has enqueued nothing for it.
    NotEnqueued {
        /// The warp in its block.
        warp: u32,
        /// The site.
        site: u8,
    },
    /// A warp dequeues at a site a record that was enqueued at another one.
    OtherSite {
        /// The warp in its block.
        warp: u32,
        /// The site.
        site: u8,
        /// The queue.
        queue: Queue,
        /// The other site.
        enqueued: u8,
    },
    /// The threads of a warp that dequeue are not those for which it was enqueued.
    OtherThreads {
        /// The warp in its block.
        warp: u32,
        /// The site.
        site: u8,
        /// Lanes that dequeue.
        lanes: u64,
        /// Lanes for which it was enqueued.
        enqueued: u64,
    },
    /// A block has ended and something is left that a warp should have dequeued.
    Left {
        /// The warp in its block.
        warp: u32,
        /// The site.
        site: u8,
    },
}

impl fmt::Display for QueueFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            QueueFault::NotEnqueued { warp, site } => write!(
                f,
                "the streams disagree: warp {warp} dequeues at site {site}, and the affine stream \
                 has ended without enqueueing for it"
            ),
            QueueFault::OtherSite { warp, site, queue, enqueued } => write!(
                f,
                "the streams disagree: warp {warp} dequeues deq.{} at site {site} what was \
                 enqueued at site {enqueued}",
                queue.name()
            ),
            QueueFault::OtherThreads { warp, site, lanes, enqueued } => write!(
                f,
                "the streams disagree: warp {warp} dequeues at site {site} for lanes {lanes:#x} \
                 what was enqueued for lanes {enqueued:#x}"
            ),
            QueueFault::Left { warp, site } => write!(
                f,
                "the streams disagree: the block has ended, and warp {warp} has not dequeued what \
                 was enqueued for it at site {site}"
            ),
        }
    }
}
