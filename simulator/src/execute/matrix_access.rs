//! Loads and stores of matrices in shared memory.
//!
//! A lane that gives the address of a row accesses its 16 bytes, for checks and for banks; other lanes get or have the words.

use reconverge_isa::{
    BLOCK, Effect, Fragment, MATRIX_ROWS, MAX_LANES, MatrixMove, SHARED_BASE, WarpSource, Width,
    gather_matrix, spread_matrix,
};

use super::matrix::check_whole;
use super::memory::{check_lanes, seen};
use super::{DynamicInstruction, Executed, Executor, LaneTrap, operands};
use crate::block::path::{Lanes, ThreadIndex};
use crate::block::threads::Threads;
use crate::memory::device::GlobalPort;
use crate::memory::words::{read, write};
use crate::program::operands::Target;

/// The rows that the lanes of a warp access, by the lane that gives the address.
type Rows = [[u32; 4]; BLOCK];

/// The place of lane `row` of a warp in a path.
fn lane_of(lanes: &Lanes, warp: usize, row: usize) -> usize {
    lanes.lane_of(ThreadIndex((warp * BLOCK + row) as u16), BLOCK)
}

impl Executor {
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
        let warps: Vec<usize> = lanes.by_warp(mask, BLOCK).map(|(warp, _)| warp).collect();
        let giving = warps
            .iter()
            .flat_map(|&warp| (0..moved.rows()).map(move |row| 1u64 << lane_of(lanes, warp, row)));
        let giving = giving.fold(0, |all, lane| all | lane);
        let sources =
            operands::fetch(code, instruction, &threads.registers, lanes, &mut self.gathered);
        self.access.locate(code, instruction, &sources[0], lanes, giving);
        check_lanes(&self.access, code, instruction, &sources[0], giving, port)?;
        let mut changed = false;
        if instruction.effect == Effect::Store {
            let rows: Vec<Rows> = warps
                .iter()
                .map(|&warp| {
                    let registers = &threads.registers;
                    let [_, words, _] = self.fragments(code, instruction, registers, warp);
                    stored(&words, moved)
                })
                .collect();
            self.raise_rows(dynamic, threads, lanes, (&warps, &rows), port);
            for (&warp, rows) in warps.iter().zip(&rows) {
                for (row, words) in rows.iter().enumerate().take(moved.rows()) {
                    let at = self.row_at(lanes, warp, row);
                    for (place, word) in words.iter().enumerate() {
                        let shared = &mut threads.shared;
                        changed |= write(shared, at + 4 * place, Width::B32, u64::from(*word));
                    }
                }
            }
        } else {
            self.raise_rows(dynamic, threads, lanes, (&warps, &[]), port);
            for &warp in &warps {
                self.load_matrices(dynamic, threads, lanes, moved, warp);
            }
        }
        Ok(Executed { access: Some(&self.access), changed })
    }

    /// The place in shared memory of a row of a warp.
    fn row_at(&self, lanes: &Lanes, warp: usize, row: usize) -> usize {
        let address = self.access.addresses[lane_of(lanes, warp, row)];
        address.wrapping_sub(SHARED_BASE) as usize
    }

    /// Loads the matrices of a warp.
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

    /// Notifies the checker of the accesses, eight bytes of each row at a time. A store has the rows of each warp.
    fn raise_rows(
        &mut self,
        dynamic: DynamicInstruction,
        threads: &Threads,
        lanes: &Lanes,
        (warps, rows): (&[usize], &[Rows]),
        port: &mut GlobalPort,
    ) {
        if !port.is_checked {
            return;
        }
        for half in [0, 1] {
            let (mut low, mut high) = ([0; MAX_LANES], [0; MAX_LANES]);
            for (&warp, rows) in warps.iter().zip(rows) {
                for (row, words) in rows.iter().enumerate() {
                    let lane = lane_of(lanes, warp, row);
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
