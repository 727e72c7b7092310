//! Votes and shuffles: joint computations of a warp's lanes.

use reconverge_isa::planted::Planted;
use reconverge_isa::{Op, evaluate_collective, source_lane};

use super::{DynamicInstruction, Executor, LaneTrap, operands};
use crate::block::path::{Lanes, ThreadIndex};
use crate::block::threads::Threads;
use crate::check::event::CheckEvent;
use crate::execute::lanes::lanes_of;
use crate::memory::device::GlobalPort;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::run::fault::TrapKind;

impl Executor {
    /// Executes a vote, a shuffle or `warp.sync`. Threads of several warps on one path act together
    /// with those of their own warp only.
    pub(crate) fn collective(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        threads: &mut Threads,
        lanes: &Lanes,
        mask: u64,
    ) -> Result<(), LaneTrap> {
        let width = code.shape.width as usize;
        for (warp, mask) in lanes.by_warp(mask, width) {
            self.in_warp(code, instruction, threads, warp, mask).map_err(|trap| {
                let thread = ThreadIndex((warp * width + trap.lane) as u16);
                LaneTrap { lane: lanes.lane_of(thread, width), kind: trap.kind }
            })?;
        }
        Ok(())
    }

    /// Notifies the checker that lanes have synchronised.
    #[cold]
    pub(super) fn raise_sync(
        &mut self,
        dynamic: DynamicInstruction,
        threads: &Threads,
        lanes: &Lanes,
        mask: u64,
        port: &mut GlobalPort,
    ) {
        let DynamicInstruction { code, instruction, pc, .. } = dynamic;
        for (warp, lanes) in lanes.by_warp(mask, code.shape.width as usize) {
            let warp = warp as u16;
            let own = Lanes::Warp { warp, mask: lanes };
            let gathered = &mut self.gathered;
            let sources = operands::fetch(code, instruction, &threads.registers, &own, gathered);
            let named = sources[0].low.to_vec();
            port.raise(threads.block, CheckEvent::Sync { pc, warp, lanes, named });
        }
    }

    /// Notifies the checker of the source lanes of a shuffle's values.
    #[cold]
    pub(super) fn raise_taken(
        &mut self,
        dynamic: DynamicInstruction,
        threads: &Threads,
        lanes: &Lanes,
        mask: u64,
        port: &mut GlobalPort,
    ) {
        let DynamicInstruction { code, instruction, pc, .. } = dynamic;
        let width = code.shape.width as usize;
        for (warp, lanes) in lanes.by_warp(mask, width) {
            let warp = warp as u16;
            let own = Lanes::Warp { warp, mask: lanes };
            let gathered = &mut self.gathered;
            let sources = operands::fetch(code, instruction, &threads.registers, &own, gathered);
            let [_, which, widths] = sources.each_ref().map(|source| source.low);
            let from = |lane: usize| {
                let word = |row: &[u32]| row.get(lane).copied().unwrap_or(0);
                let (which, span) = (word(which), word(widths));
                source_lane(instruction.op, width as u64, lane as u64, which, span) as u8
            };
            let from = (0..width).map(from).collect();
            port.raise(threads.block, CheckEvent::Take { pc, warp, lanes, from });
        }
    }

    fn in_warp(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        threads: &mut Threads,
        warp: usize,
        mask: u64,
    ) -> Result<(), LaneTrap> {
        let width = code.shape.width as usize;
        let lanes = &Lanes::Warp { warp: warp as u16, mask };
        let Threads { registers, alive, .. } = threads;
        let alive = alive[warp];
        let sources = operands::fetch(code, instruction, registers, lanes, &mut self.gathered);
        let op = match instruction.op {
            Op::WarpSync => return all_named_are_here(sources[0].low, alive, mask),
            Op::ShuffleUp if Planted::UpIsDown.is_on() => Op::ShuffleDown,
            op => op,
        };
        let takes_part = if Planted::AbsentVote.is_on() { alive } else { mask };
        evaluate_collective(op, width, takes_part, &sources, &mut self.result);
        operands::write_back(code, instruction, registers, lanes, mask, &self.result);
        Ok(())
    }
}

/// Traps unless every lane of `mask` names itself, and only lanes that are in `mask` or have ended.
fn all_named_are_here(named: &[u32], alive: u64, mask: u64) -> Result<(), LaneTrap> {
    for lane in lanes_of(mask) {
        let missing = u64::from(named[lane]) & alive & !mask;
        let names_itself = u64::from(named[lane]) >> lane & 1 != 0;
        if missing != 0 || !names_itself {
            let kind = TrapKind::NotTogether { mask: named[lane], missing };
            return Err(LaneTrap { lane, kind });
        }
    }
    Ok(())
}
