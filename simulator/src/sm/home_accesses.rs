//! The cost of memory instructions without regrouping of threads: the lines that the warps of
//! the launch touch, and the passes that they need in shared memory, with all of their threads that execute an
//! instruction in one round.
//!
//! Rhu's dissertation, §4.2.1 and Figure 4.6, mentions the memory divergence that compaction
//! causes; the counting is our choice. Threads of a warp belong to one round until one of them
//! arrives at the instruction again. Where parts of warps are served on their own, these count as
//! warps, lanes in the order of their threads.

use crate::execute::access::Access;
use crate::execute::lanes::lanes_of;
use crate::memory::coalesce::{Banks, passes_of_words};

/// The cost of a round's items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Cost {
    /// They are lines: an access each.
    #[default]
    Lines,
    /// They are words of shared memory in a number of banks, each in the bank of its number.
    Banks {
        banks: u32,
        /// Lanes that access one word get it in one pass.
        together: bool,
    },
}

/// The accessing lanes, and the threads of a warp and of a part of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accessing<'a> {
    pub(super) access: &'a Access,
    pub(super) lanes: u64,
    pub(super) warp: usize,
    pub(super) part: usize,
}

/// A warp's round at an instruction: the places of its threads that have arrived, and their
/// accesses.
#[derive(Clone, Debug, Default)]
struct Round {
    places: u64,
    cost: Cost,
    items: Vec<u64>,
}

impl Round {
    /// Threads at some places arrive. Returns the cost of the round that this ends, if it does.
    fn arrive(&mut self, places: u64) -> u64 {
        if self.places & places == 0 {
            return 0;
        }
        let cost = match self.cost {
            Cost::Lines => self.items.len() as u64,
            Cost::Banks { banks, together } => {
                let mut words: Vec<u32> = self.items.iter().map(|&word| word as u32).collect();
                let banks = Banks { count: banks, of: |word| word % banks };
                u64::from(passes_of_words(&mut words, banks, together).all)
            }
        };
        self.places = 0;
        self.items.clear();
        cost
    }

    /// The thread at a place touches something.
    fn touch(&mut self, place: usize, item: u64, cost: Cost) {
        self.places |= 1 << place;
        self.cost = cost;
        // That of the thread before is the usual one.
        let is_known = self.items.last() == Some(&item) || self.items.contains(&item);
        if !is_known || matches!(cost, Cost::Banks { together: false, .. }) {
            self.items.push(item);
        }
    }
}

/// The rounds of a block.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    /// By instruction, then warp or part of one.
    rounds: Vec<Vec<Round>>,
    /// The cost of finished rounds.
    counted: u64,
}

/// The cost of a block's memory instructions without regrouping.
#[derive(Debug, Default)]
pub(super) struct HomeAccesses {
    /// Line accesses.
    pub(super) lines: Rounds,
    /// Passes in shared memory.
    pub(super) words: Rounds,
}

impl Rounds {
    /// An instruction accesses memory: the accesses by lane.
    pub(super) fn access(
        &mut self,
        pc: u32,
        who: Accessing,
        cost: Cost,
        items: impl Iterator<Item = (usize, u64)>,
    ) {
        if let Some(warp) = who.access.warp.filter(|_| who.warp == who.part) {
            let round = self.round(pc, usize::from(warp));
            let counted = round.arrive(who.lanes);
            items.for_each(|(lane, item)| round.touch(lane, item, cost));
            self.counted += counted;
            return;
        }
        let parts = who.warp.div_ceil(who.part);
        let home = |lane: usize| {
            let (warp, place) = match who.access.warp {
                Some(warp) => (usize::from(warp), lane),
                None => {
                    let thread = usize::from(who.access.threads[lane]);
                    (thread / who.warp, thread % who.warp)
                }
            };
            (warp * parts + place / who.part, place % who.part)
        };
        // All arrive before any access: the threads of this access belong to one round.
        for (warp, place) in lanes_of(who.lanes).map(home) {
            self.counted += self.round(pc, warp).arrive(1 << place);
        }
        for (lane, item) in items {
            let (warp, place) = home(lane);
            self.round(pc, warp).touch(place, item, cost);
        }
    }

    fn round(&mut self, pc: u32, warp: usize) -> &mut Round {
        let pc = pc as usize;
        if self.rounds.len() <= pc {
            self.rounds.resize(pc + 1, Vec::new());
        }
        let rounds = &mut self.rounds[pc];
        if rounds.len() <= warp {
            rounds.resize(warp + 1, Round::default());
        }
        &mut rounds[warp]
    }

    /// The block has ended. Returns the cost of all rounds.
    pub(super) fn finish(&mut self) -> u64 {
        let mut all = std::mem::take(&mut self.counted);
        for round in self.rounds.iter_mut().flatten() {
            all += round.arrive(u64::MAX);
        }
        all
    }
}
