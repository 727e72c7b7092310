//! Registers after their last read, in a run that checks claims: an instruction that reads one shows a fault
//! of the compiler.
//!
//! A machine that releases a vector register at its last read takes it from all lanes of the warp, so
//! all of them are marked; a write gives the register back to the lanes that it writes. The values
//! stay as they are: results do not depend on annotations.

use crate::block::path::{Lanes, Path, ThreadIndex};
use crate::execute::lanes::lanes_of;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::verify::claim::Claim;

/// The released registers of a block's threads.
#[derive(Debug, Default)]
pub(crate) struct Released {
    /// The lanes, by `warp * entries + entry`; entries are those of scoreboards.
    lanes: Vec<u64>,
    /// The instruction that released it last, by the same.
    by: Vec<u32>,
}

impl Released {
    /// All registers are available again, for a block that starts.
    pub(crate) fn reset(&mut self, code: &Code) {
        let warps = if code.verify { code.shape.warps() as usize } else { 0 };
        let count = warps * code.scoreboard_entries();
        self.lanes.clear();
        self.lanes.resize(count, 0);
        self.by.clear();
        self.by.resize(count, 0);
    }

    /// The first lane that reads a released register in an instruction about to execute in the lanes
    /// of `mask`. All lanes of the path read its guard.
    pub(crate) fn read(
        &self,
        code: &Code,
        instruction: &Decoded,
        lanes: &Lanes,
        mask: u64,
    ) -> Option<(usize, Claim)> {
        let guard = instruction.guard.map(|(index, _)| code.predicate_entry(index));
        let guard = guard.and_then(|entry| self.find(code, entry, lanes, lanes.mask()));
        let mut sources = instruction.sources.iter().flat_map(|&from| code.source_entries(from));
        guard.or_else(|| sources.find_map(|entry| self.find(code, entry, lanes, mask)))
    }

    fn find(&self, code: &Code, entry: usize, lanes: &Lanes, mask: u64) -> Option<(usize, Claim)> {
        let width = code.shape.width as usize;
        lanes.by_warp(mask, width).find_map(|(warp, mask)| {
            let at = warp * code.scoreboard_entries() + entry;
            let place = lanes_of(self.lanes[at] & mask).next()?;
            let lane = lanes.lane_of(ThreadIndex((warp * width + place) as u16), width);
            let claim = Claim::LastRead { register: code.register(entry), released: self.by[at] };
            Some((lane, claim))
        })
    }

    /// Releases the registers that an instruction of a path reads last and restores those that it
    /// writes, in the lanes of `mask`. `serial` is true if the other lanes lose a register too.
    pub(crate) fn execute(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        path: &Path,
        mask: u64,
        serial: bool,
    ) {
        let entries = code.scoreboard_entries();
        let last = instruction.annotations.last_read;
        for (warp, mask) in path.lanes.by_warp(mask, code.shape.width as usize) {
            let lost = match path.lanes {
                Lanes::Warp { .. } if serial => !0,
                _ => mask,
            };
            for (operand, &source) in instruction.sources.iter().enumerate() {
                if last >> operand & 1 != 0 {
                    for entry in code.source_entries(source) {
                        self.lanes[warp * entries + entry] |= lost;
                        self.by[warp * entries + entry] = path.pc;
                    }
                }
            }
            for entry in code.target_entries(instruction.target) {
                self.lanes[warp * entries + entry] &= !mask;
            }
        }
    }
}
