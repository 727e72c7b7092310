//! What the affine stream has prepared for the warps of a block: per-warp queues of addresses and of
//! predicates (Wang and Lin, §4.1: PWAQ and PWPQ).

use std::collections::VecDeque;

use reconverge_isa::Queue;

/// An entry of a warp's queue.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) queue: Queue,
    pub(crate) site: u8,
    /// The lanes that it is for.
    pub(crate) mask: u64,
    /// By lane: addresses; or none.
    pub(crate) addresses: Box<[u32]>,
    /// Lanes for which a predicate is true.
    pub(crate) truth: u64,
    /// The number of the early load that it is, if its lines were asked for.
    pub(crate) early: Option<u32>,
    /// All of them have come.
    pub(crate) ready: bool,
    /// The affine warp's state behind it, if a livelock was being searched for.
    pub(crate) state: Option<u64>,
}

/// The queues of a warp.
#[derive(Clone, Debug, Default)]
pub(crate) struct WarpQueues {
    pub(crate) addresses: VecDeque<Record>,
    pub(crate) predicates: VecDeque<Record>,
}

impl WarpQueues {
    /// The queue that something is taken from.
    pub(crate) fn of(&self, queue: Queue) -> &VecDeque<Record> {
        match queue {
            Queue::Data | Queue::Address => &self.addresses,
            Queue::Predicate => &self.predicates,
        }
    }

    pub(crate) fn of_mut(&mut self, queue: Queue) -> &mut VecDeque<Record> {
        match queue {
            Queue::Data | Queue::Address => &mut self.addresses,
            Queue::Predicate => &mut self.predicates,
        }
    }
}

/// The queues of a block's warps, and which matched barriers its warps have passed.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockQueues {
    pub(crate) warps: Vec<WarpQueues>,
    /// By warp: what follows of addresses, and of predicates. It is the affine warp's state behind what was taken
    /// last; a number of its own where that is not known.
    follows: Vec<[u64; 2]>,
    /// By warp: how often something was taken.
    taken: Vec<u64>,
    /// The early load of what was taken last.
    pub(crate) early: Option<u32>,
    /// Nothing more will come.
    pub(crate) over: bool,
    /// By warp: matched barriers that it waits at, and has passed.
    waits: Vec<u32>,
    passed: Vec<u32>,
}

impl BlockQueues {
    /// A block of so many warps starts.
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

    /// Takes what comes next from a queue of a warp.
    pub(crate) fn take(&mut self, warp: usize, queue: Queue) {
        let record = self.warps[warp].of_mut(queue).pop_front();
        let state = record.as_ref().and_then(|record| record.state);
        self.early = record.and_then(|record| record.early);
        self.taken[warp] += 1;
        let at = usize::from(queue == Queue::Predicate);
        self.follows[warp][at] = state.unwrap_or(self.taken[warp]);
    }

    /// How often something was taken for a warp.
    pub(crate) fn taken(&self, warp: usize) -> u64 {
        self.taken[warp]
    }

    /// Numbers that say what all that comes for a warp is.
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

    /// How many matched barriers a warp has passed.
    pub(crate) fn passed(&self, warp: usize) -> u32 {
        self.passed[warp]
    }

    /// A warp that has something in a queue.
    pub(crate) fn left(&self) -> Option<(usize, &Record)> {
        let heads =
            self.warps.iter().enumerate().map(|(warp, queues)| {
                (warp, queues.addresses.front().or(queues.predicates.front()))
            });
        heads.into_iter().find_map(|(warp, head)| Some((warp, head?)))
    }
}
