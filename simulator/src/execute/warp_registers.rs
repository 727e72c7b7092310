//! The registers of one warp of [`BLOCK`] lanes, as rows: found once for instructions that follow each other.

use reconverge_isa::{BLOCK, Effect, Vectors, Words};
use reconverge_planted::Planted;

use super::rows;
use super::source_rows::SourceRows;
use crate::block::Registers;
use crate::decode::{Code, Decoded, Target};

/// The registers of a warp of [`BLOCK`] lanes.
pub(super) struct WarpRegisters<'a> {
    warp: usize,
    /// From its first one on.
    general: &'a mut [Words],
    /// From its first one on.
    predicates: &'a mut [u64],
}

/// What the instructions of a warp read: its registers, from its first ones on, and the pool of its code.
pub(super) struct Tables<'a> {
    pub(super) general: &'a [Words],
    pub(super) predicates: &'a [u64],
    pub(super) pool: &'a [Words],
}

impl Registers {
    /// Those of a warp, which has [`BLOCK`] lanes.
    #[inline(always)]
    pub(super) fn of_warp(&mut self, code: &Code, warp: usize) -> Option<WarpRegisters<'_>> {
        let general = self.general.as_chunks_mut::<BLOCK>().0;
        let general = general.get_mut(warp * code.registers..)?;
        let predicates = self.predicates.get_mut(warp * code.predicates..)?;
        Some(WarpRegisters { warp, general, predicates })
    }
}

impl WarpRegisters<'_> {
    /// The lanes of `active` in which a computation's guard holds.
    #[inline(always)]
    pub(super) fn guard(
        &self,
        instruction: &Decoded,
        (index, negated): (u16, bool),
        active: u64,
    ) -> u64 {
        if Planted::GuardIgnored.is_on() && instruction.effect == Effect::Compute {
            return active;
        }
        let bits = self.predicates.get(usize::from(index)).copied().unwrap_or(0);
        active & if negated { !bits } else { bits }
    }

    /// Executes a computation in the lanes of `mask`, not empty; the rows are for its result before that is written.
    #[inline(always)]
    pub(super) fn compute(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        (rows, mask): (&SourceRows, u64),
        (low, high): (&mut Words, &mut Words),
    ) {
        let pool = code.pool.as_chunks::<BLOCK>().0;
        let tables = Tables { general: self.general, predicates: self.predicates, pool };
        let sources = rows.fetch(instruction.is_wide, &tables, (code, self.warp));
        let predicate = instruction.evaluator.block(mask as u32, &sources, (low, high));
        if let Some(row) = self.general.get_mut(instruction.target_row as usize) {
            return rows::write(code.vectors, row, low, mask);
        }
        match instruction.target {
            Target::None => {}
            Target::Predicate(index) => {
                if let Some(bits) = self.predicates.get_mut(usize::from(index)) {
                    let others = if Planted::MaskedWriteKills.is_on() { 0 } else { *bits & !mask };
                    *bits = others | u64::from(predicate) & mask;
                }
            }
            target => write(code.vectors, self.general, (target, mask), [low, high]),
        }
    }
}

/// Writes the lanes of `mask` of a result that is no predicate to registers of a warp, its low words and, if it is a pair, its high ones.
#[inline(always)]
pub(super) fn write(
    vectors: Vectors,
    general: &mut [Words],
    (target, mask): (Target, u64),
    [low, high]: [&Words; 2],
) {
    let Target::Register { index, words } = target else { return };
    let index = usize::from(index);
    if let Some(row) = general.get_mut(index) {
        rows::write(vectors, row, low, mask);
    }
    let stays = Planted::HighWordStays.is_on() && mask != u64::from(u32::MAX);
    if words > 1
        && !stays
        && let Some(row) = general.get_mut(index + 1)
    {
        rows::write(vectors, row, high, mask);
    }
}
