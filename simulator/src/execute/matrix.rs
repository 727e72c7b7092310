//! Products of matrices, and loads and stores of matrices in shared memory, which the lanes of a warp execute together.
//!
//! A lane that gives the address of a row accesses its 16 bytes, for checks and for banks; other lanes get or have the words.

use reconverge_isa::{
    BLOCK, Effect, Fragment, MATRIX_ROWS, MAX_LANES, Matrix, MatrixMove, SHARED_BASE, WarpSource,
    Width, ZERO_FRAGMENT, gather_matrix, spread_matrix,
};

use super::memory::{check_lanes, seen};
use super::{DynamicInstruction, Executed, Executor, LaneTrap, operands};
use crate::block::path::{Lanes, ThreadIndex};
use crate::block::threads::{Registers, Threads};
use crate::memory::device::GlobalPort;
use crate::memory::words::{read, write};
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

/// The rows that the lanes of a warp access, by the lane that gives the address.
type Rows = [[u32; 4]; BLOCK];

/// The place of lane `row` of a warp in a path.
fn lane_of(lanes: &Lanes, warp: usize, row: usize) -> usize {
    lanes.lane_of(ThreadIndex((warp * BLOCK + row) as u16), BLOCK)
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

    /// A warp's source fragments.
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

    /// Loads or stores matrices in the lanes of `mask`, which are those of whole warps.
    pub(super) fn access_matrices(
        &mut self,
        dynamic: DynamicInstruction,
        threads: &mut Threads,
        lanes: &Lanes,
        mask: u64,
        port: &mut GlobalPort,
    ) -> Result<Executed<'_>, LaneTrap> {
        let DynamicInstruction { code, instruction, .. } = dynamic;
        let Some(moved) = MatrixMove::of(instruction.op) else {
            return Ok(Executed::default());
        };
        check_whole(code, lanes, mask)?;
        let warps = || lanes.by_warp(mask, BLOCK).map(|(warp, _)| warp);
        let row_lanes = |warp| (0..moved.rows()).map(move |row| 1u64 << lane_of(lanes, warp, row));
        let giving = warps().flat_map(row_lanes).fold(0, |all, lane| all | lane);
        let sources =
            operands::fetch(code, instruction, &threads.registers, lanes, &mut self.gathered);
        self.access.locate(code, instruction, &sources[0], lanes, giving);
        check_lanes(&self.access, code, instruction, &sources[0], giving, port)?;
        let mut changed = false;
        if instruction.effect == Effect::Store {
            let rows: Vec<(usize, Rows)> = warps()
                .map(|warp| {
                    let registers = &threads.registers;
                    let [_, words, _] = self.fragments(code, instruction, registers, warp);
                    (warp, stored(&words, moved))
                })
                .collect();
            self.raise_rows(dynamic, threads, lanes, &rows, port);
            for (warp, rows) in &rows {
                for (row, words) in rows.iter().enumerate().take(moved.rows()) {
                    let at = self.row_at(lanes, *warp, row);
                    for (place, word) in words.iter().enumerate() {
                        let shared = &mut threads.shared;
                        changed |= write(shared, at + 4 * place, Width::B32, u64::from(*word));
                    }
                }
            }
        } else {
            self.raise_rows(dynamic, threads, lanes, &[], port);
            for warp in warps() {
                self.load_matrices(dynamic, threads, lanes, moved, warp);
            }
        }
        Ok(Executed { access: Some(&self.access), changed })
    }

    /// A row's place in shared memory.
    fn row_at(&self, lanes: &Lanes, warp: usize, row: usize) -> usize {
        let address = self.access.addresses[lane_of(lanes, warp, row)];
        address.wrapping_sub(SHARED_BASE) as usize
    }

    /// Loads a warp's matrices.
    fn load_matrices(
        &self,
        dynamic: DynamicInstruction,
        threads: &mut Threads,
        lanes: &Lanes,
        moved: MatrixMove,
        warp: usize,
    ) {
        let Target::Register { index, .. } = dynamic.instruction.target else { return };
        let first = warp * dynamic.code.registers + usize::from(index);
        let registers = threads.registers.general.chunks_exact_mut(BLOCK).skip(first);
        for (matrix, to) in (0..moved.count).zip(registers) {
            let mut rows = [[0; 4]; MATRIX_ROWS];
            for (row, words) in rows.iter_mut().enumerate() {
                let at = self.row_at(lanes, warp, MATRIX_ROWS * matrix + row);
                for (place, word) in words.iter_mut().enumerate() {
                    *word = read(&threads.shared, at + 4 * place, Width::B32) as u32;
                }
            }
            to.copy_from_slice(&spread_matrix(&rows, moved.is_transposed));
        }
    }

    /// Notifies the checker of the accesses, eight bytes of each row at a time. A store has each warp's rows.
    fn raise_rows(
        &mut self,
        dynamic: DynamicInstruction,
        threads: &Threads,
        lanes: &Lanes,
        rows: &[(usize, Rows)],
        port: &mut GlobalPort,
    ) {
        if !port.is_checked {
            return;
        }
        for half in [0, 1] {
            let (mut low, mut high) = ([0; MAX_LANES], [0; MAX_LANES]);
            for (warp, rows) in rows {
                for (row, words) in rows.iter().enumerate() {
                    let lane = lane_of(lanes, *warp, row);
                    (low[lane], high[lane]) = (words[2 * half], words[2 * half + 1]);
                }
            }
            let stored = WarpSource { low: &low, high: &high, predicate: 0 };
            let part = dynamic.instruction.half_of_rows();
            let dynamic = DynamicInstruction { instruction: &part, ..dynamic };
            port.raise_access(&seen(dynamic, &self.access, &stored, threads));
            self.access.shift(if half == 0 { 8 } else { -8 });
        }
    }
}

/// The rows of the matrices that a warp stores.
fn stored(words: &Fragment, moved: MatrixMove) -> Rows {
    let mut rows = [[0; 4]; BLOCK];
    let matrices = rows.chunks_exact_mut(MATRIX_ROWS).zip(words);
    for (to, words) in matrices.take(moved.count) {
        to.copy_from_slice(&gather_matrix(words, moved.is_transposed));
    }
    rows
}
