//! What memory instructions would have cost without regrouping of threads: the lines that the warps of
//! the launch touch with all of their threads that execute an instruction in one round.
//!
//! Rhu's dissertation, §4.2.1 and Figure 4.6, speaks of the memory divergence that compaction causes; how
//! it is counted is our choice. Threads of a warp are of one round until one of them comes to the
//! instruction again.

use crate::execute::Access;
use crate::lanes::lanes_of;

/// A warp's round at an instruction: the places of its threads that have come, and their lines.
#[derive(Clone, Debug, Default)]
struct Round {
    places: u64,
    lines: Vec<u64>,
}

impl Round {
    /// Threads at some places come; how many lines were touched if that ends a round.
    fn come(&mut self, places: u64) -> u64 {
        if self.places & places == 0 {
            return 0;
        }
        let lines = self.lines.len() as u64;
        self.places = 0;
        self.lines.clear();
        lines
    }

    /// The thread at a place touches a line.
    fn touch(&mut self, place: usize, line: u64) {
        self.places |= 1 << place;
        // That of the thread before is the usual one.
        if self.lines.last() != Some(&line) && !self.lines.contains(&line) {
            self.lines.push(line);
        }
    }
}

/// The rounds of a block.
#[derive(Debug, Default)]
pub(super) struct HomeLines {
    /// By instruction, then warp.
    rounds: Vec<Vec<Round>>,
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
        lines: impl Iterator<Item = (usize, u64)>,
    ) {
        let lanes = access.global | access.local;
        if let Some(warp) = access.warp {
            let round = self.round(pc, usize::from(warp));
            let counted = round.come(lanes);
            lines.for_each(|(lane, line)| round.touch(lane, line));
            self.counted += counted;
            return;
        }
        let home = |lane: usize| {
            let thread = usize::from(access.threads[lane]);
            (thread / width, thread % width)
        };
        for (warp, place) in lanes_of(lanes).map(home) {
            self.counted += self.round(pc, warp).come(1 << place);
        }
        for (lane, line) in lines {
            let (warp, place) = home(lane);
            self.round(pc, warp).touch(place, line);
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

    /// The block has ended: how many lines there were.
    pub(super) fn finish(&mut self) -> u64 {
        let mut all = std::mem::take(&mut self.counted);
        for round in self.rounds.iter_mut().flatten() {
            all += round.come(u64::MAX);
        }
        all
    }
}
