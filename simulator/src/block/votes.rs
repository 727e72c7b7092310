//! Votes at a barrier, and their results: `bar.red.or`, `bar.red.and` and `bar.red.popc`.

use reconverge_isa::planted::Planted;
use reconverge_isa::{Op, WarpResult};

use crate::block::path::Lanes;
use crate::block::threads::Registers;
use crate::execute::operands::write_back;
use crate::program::code::Code;
use crate::program::decoded::Decoded;

/// The votes of the threads that wait at a block's barrier. Threads at `bar.sync` have none.
#[derive(Debug, Default)]
pub(crate) struct Votes {
    voters: u32,
    ayes: u32,
    /// The instructions that wait for the result.
    waiting: Vec<(Decoded, Lanes, u64)>,
}

impl Votes {
    pub(crate) fn clear(&mut self) {
        (self.voters, self.ayes) = (0, 0);
        self.waiting.clear();
    }

    /// The threads of `mask` arrive at a barrier; the bits of `holds` are their predicates.
    pub(crate) fn add(&mut self, instruction: &Decoded, lanes: Lanes, mask: u64, holds: u64) {
        self.voters += mask.count_ones();
        let ayes = (holds & mask).count_ones();
        self.ayes = if Planted::LastVoteCounts.is_on() { ayes } else { self.ayes + ayes };
        self.waiting.push((*instruction, lanes, mask));
    }

    /// The barrier opens: every voter gets its result.
    pub(crate) fn deliver(&mut self, code: &Code, registers: &mut Registers) {
        if self.waiting.is_empty() {
            return;
        }
        let mut result = WarpResult::default();
        result.low.fill(self.ayes);
        for (instruction, lanes, mask) in std::mem::take(&mut self.waiting) {
            let holds = match instruction.op {
                Op::BarrierAnd | Op::CountedBarrierAnd => self.ayes == self.voters,
                _ => self.ayes != 0,
            };
            result.predicate = if holds { !0 } else { 0 };
            write_back(code, &instruction, registers, &lanes, mask, &result);
        }
        self.clear();
    }
}
