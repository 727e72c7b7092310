//! What memory instructions would have cost had nobody regrouped threads: the lines that the warps of
//! the launch touch with all of their threads that execute an instruction in one round.
//!
//! Rhu's dissertation, §4.2.1 and Figure 4.6, speaks of the memory divergence that compaction causes; how
//! it is counted is our choice. Threads of a warp are of one round until one of them comes to the
//! instruction again.

use std::collections::BTreeMap;

use crate::execute::{Access, lanes_of};

/// A warp's round at an instruction: the places of its threads that have come, and their lines.
#[derive(Debug, Default)]
struct Round {
    places: u64,
    lines: Vec<u64>,
}

/// The rounds of a block, by instruction and warp.
#[derive(Debug, Default)]
pub(super) struct HomeLines {
    rounds: BTreeMap<(u32, usize), Round>,
    /// Lines of rounds that are over.
    counted: u64,
}

impl HomeLines {
    /// An instruction accesses lines: by lane, their addresses.
    pub(super) fn access(
        &mut self,
        pc: u32,
        access: &Access,
        width: usize,
        lines: &[(usize, u64)],
    ) {
        let home = |lane: usize| match access.warp {
            Some(warp) => (usize::from(warp), lane),
            None => {
                let thread = usize::from(access.threads[lane]);
                (thread / width, thread % width)
            }
        };
        for lane in lanes_of(access.global | access.local) {
            let (warp, place) = home(lane);
            if let Some(round) = self.rounds.get_mut(&(pc, warp))
                && round.places >> place & 1 != 0
            {
                self.counted += round.lines.len() as u64;
                *round = Round::default();
            }
        }
        for &(lane, line) in lines {
            let (warp, place) = home(lane);
            let round = self.rounds.entry((pc, warp)).or_default();
            round.places |= 1 << place;
            if !round.lines.contains(&line) {
                round.lines.push(line);
            }
        }
    }

    /// The block has ended: how many lines there were.
    pub(super) fn finish(&mut self) -> u64 {
        let rounds = std::mem::take(&mut self.rounds);
        let rest: usize = rounds.values().map(|round| round.lines.len()).sum();
        std::mem::take(&mut self.counted) + rest as u64
    }
}
