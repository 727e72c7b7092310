//! Products of matrices, which the lanes of a warp compute together.

use reconverge_isa::{BLOCK, Fragment, MAX_LANES, Matrix, ZERO_FRAGMENT};

use super::{Executor, LaneTrap, operands};
use crate::block::path::{Lanes, ThreadIndex};
use crate::block::threads::{Registers, Threads};
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::{Source, Target};
use crate::run::fault::TrapKind;

/// Every lane of the warp.
pub(crate) const WHOLE_WARP: u64 = u32::MAX as u64;

/// The rows of a register and of those that follow it, of a warp of [`BLOCK`] lanes.
fn copy_rows(rows: &[u32], first: usize, words: u8, fragment: &mut Fragment) {
    let rows = rows.chunks_exact(BLOCK).skip(first).take(usize::from(words));
    for (row, from) in fragment.iter_mut().zip(rows) {
        row.copy_from_slice(from);
    }
}

/// A path acts on matrices only with all lanes of each of its warps.
pub(super) fn check_whole(code: &Code, lanes: &Lanes, mask: u64) -> Result<(), LaneTrap> {
    let width = code.shape.width as usize;
    for (warp, mask) in lanes.by_warp(mask, width) {
        if mask != WHOLE_WARP || width != BLOCK {
            let thread = warp * width + mask.trailing_zeros() as usize % MAX_LANES;
            let lane = lanes.lane_of(ThreadIndex(thread as u16), width);
            let missing = WHOLE_WARP & !mask;
            return Err(LaneTrap { lane, kind: TrapKind::NotWhole { missing } });
        }
    }
    Ok(())
}

impl Executor {
    /// Multiplies matrices. Threads of several warps on one path act together with those of their own warp only; each warp
    /// has to be whole.
    pub(super) fn multiply(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        threads: &mut Threads,
        lanes: &Lanes,
        mask: u64,
    ) -> Result<(), LaneTrap> {
        check_whole(code, lanes, mask)?;
        for (warp, _) in lanes.by_warp(mask, code.shape.width as usize) {
            self.multiply_in_warp(code, instruction, threads, warp);
        }
        Ok(())
    }

    /// The sources of an instruction of a warp.
    pub(super) fn fragments(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        registers: &Registers,
        warp: usize,
    ) -> [Fragment; 3] {
        let mut fragments = [ZERO_FRAGMENT; 3];
        let own = Lanes::Warp { warp: warp as u16, mask: WHOLE_WARP };
        let fetched = operands::fetch(code, instruction, registers, &own, &mut self.gathered);
        for ((fragment, source), fetched) in
            fragments.iter_mut().zip(instruction.sources).zip(fetched)
        {
            match source {
                Source::Register { index, words } => {
                    let first = warp * code.registers + usize::from(index);
                    copy_rows(&registers.general, first, words, fragment);
                }
                _ => {
                    copy_rows(fetched.low, 0, 1, fragment);
                    if let Some(high) = fetched.high.first_chunk() {
                        fragment[1] = *high;
                    }
                }
            }
        }
        fragments
    }

    fn multiply_in_warp(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        threads: &mut Threads,
        warp: usize,
    ) {
        let Some(matrix) = Matrix::of(instruction.op) else { return };
        let registers = &mut threads.registers;
        let fragments = self.fragments(code, instruction, registers, warp);
        let mut result = ZERO_FRAGMENT;
        matrix.multiply(fragments.each_ref(), &mut result);
        let Target::Register { index, words } = instruction.target else { return };
        let first = warp * code.registers + usize::from(index);
        let rows = registers.general.chunks_exact_mut(BLOCK).skip(first).take(usize::from(words));
        for (row, from) in rows.zip(&result) {
            row.copy_from_slice(from);
        }
    }
}
