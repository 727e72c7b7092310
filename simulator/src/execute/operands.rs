//! Sources and results: rows of a warp's registers directly, or gathered lane by lane when the
//! lanes belong to several warps.

use reconverge_isa::planted::Planted;
use reconverge_isa::{
    BLOCK, BlockSource, Effect, MAX_LANES, Vectors, WarpResult, WarpSource, Words,
};

use super::rows;
use super::source_rows::{IndexRows, SourceRows, Tables};
use crate::block::path::{Lanes, Split, ThreadIndex};
use crate::block::threads::Registers;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::{Source, Target};

/// A source row, gathered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gathered {
    low: [u32; MAX_LANES],
    high: [u32; MAX_LANES],
}

impl Default for Gathered {
    fn default() -> Self {
        Gathered { low: [0; MAX_LANES], high: [0; MAX_LANES] }
    }
}

/// The lanes of `active` in which an instruction's guard holds, given the bits of a predicate register.
#[inline(always)]
pub(super) fn guarded(
    instruction: &Decoded,
    active: u64,
    predicate: impl FnOnce(u16) -> u64,
) -> u64 {
    let Some((index, negated)) = instruction.guard else {
        return active;
    };
    if Planted::GuardIgnored.is_on() && instruction.effect == Effect::Compute {
        return active;
    }
    let bits = predicate(index);
    active & if negated { !bits } else { bits }
}

/// The bits of a predicate register, by lane.
#[inline(always)]
pub(crate) fn predicate(code: &Code, registers: &Registers, lanes: &Lanes, index: u16) -> u64 {
    match lanes {
        Lanes::Warp { warp, .. } => {
            registers.predicates[usize::from(*warp) * code.predicates + usize::from(index)]
        }
        Lanes::Mixed(map) => occupied(code, map).fold(0, |bits, (lane, warp, place)| {
            let row = registers.predicates[warp * code.predicates + usize::from(index)];
            bits | (row >> place & 1) << lane
        }),
    }
}

/// (lane, warp, place in the warp) of each thread in mixed lanes.
fn occupied(
    code: &Code,
    map: &[Option<ThreadIndex>],
) -> impl Iterator<Item = (usize, usize, usize)> {
    let split = Split::new(code.shape.width as usize);
    map.iter().enumerate().filter_map(move |(lane, thread)| {
        let (warp, place) = split.of((*thread)?);
        Some((lane, warp, place))
    })
}

/// All sources of an instruction.
#[inline(always)]
pub(crate) fn fetch<'a>(
    code: &'a Code,
    instruction: &Decoded,
    registers: &'a Registers,
    lanes: &Lanes,
    gathered: &'a mut [Gathered; 3],
) -> [WarpSource<'a>; 3] {
    let [a, b, c] = instruction.sources;
    match lanes {
        Lanes::Warp { warp, .. } => {
            let warp = usize::from(*warp);
            let row = |source| row(code, source, registers, warp);
            [row(a), row(b), row(c)]
        }
        Lanes::Mixed(map) => {
            let [ga, gb, gc] = gathered;
            [
                gather(code, a, registers, map, ga),
                gather(code, b, registers, map, gb),
                gather(code, c, registers, map, gc),
            ]
        }
    }
}

/// A source of a whole warp.
#[inline(always)]
fn row<'a>(
    code: &'a Code,
    source: Source,
    registers: &'a Registers,
    warp: usize,
) -> WarpSource<'a> {
    let width = code.shape.width as usize;
    let slice = |rows: &'a [u32], row: usize| &rows[row * width..(row + 1) * width];
    let words = |low, high| WarpSource { low, high, predicate: 0 };
    match source {
        Source::None => WarpSource::default(),
        Source::Register { index, words: count } => {
            let first = warp * code.registers + usize::from(index);
            let low = slice(&registers.general, first);
            words(low, if count > 1 { slice(&registers.general, first + 1) } else { &[] })
        }
        Source::Pool { low, high, pair } => {
            let low = slice(&code.pool, low as usize);
            words(low, if pair { slice(&code.pool, high as usize) } else { &[] })
        }
        Source::Predicate { index, negated } => {
            let bits = registers.predicates[warp * code.predicates + usize::from(index)];
            WarpSource { predicate: if negated { !bits } else { bits }, ..WarpSource::default() }
        }
        Source::Thread(axis) => words(code.thread_row(warp, usize::from(axis)), &[]),
        Source::Block(axis) => {
            words(slice(&registers.general, code.block_row() + usize::from(axis)), &[])
        }
        Source::Queued => {
            let low = registers.queued.get(..width).unwrap_or_default();
            WarpSource { low, high: &[], predicate: registers.truth }
        }
    }
}

/// A source of lanes that belong to several warps.
#[cold]
fn gather<'a>(
    code: &'a Code,
    source: Source,
    registers: &'a Registers,
    map: &[Option<ThreadIndex>],
    into: &'a mut Gathered,
) -> WarpSource<'a> {
    if let Source::None | Source::Pool { .. } | Source::Block(_) | Source::Queued = source {
        // The same for all warps, and lanes.
        return row(code, source, registers, 0);
    }
    if let Source::Register { index, words } = source {
        let pair = words > 1;
        let (width, row) = (code.shape.width as usize, usize::from(index));
        for (lane, warp, place) in occupied(code, map) {
            let at = (warp * code.registers + row) * width + place;
            into.low[lane] = registers.general[at];
            if pair {
                into.high[lane] = registers.general[at + width];
            }
        }
        let high = if pair { &into.high[..map.len()] } else { &[] };
        return WarpSource { low: &into.low[..map.len()], high, predicate: 0 };
    }
    let mut bits = 0;
    let mut pair = false;
    for (lane, warp, place) in occupied(code, map) {
        let row = row(code, source, registers, warp);
        into.low[lane] = row.low.get(place).copied().unwrap_or(0);
        into.high[lane] = row.high.get(place).copied().unwrap_or(0);
        bits |= (row.predicate >> place & 1) << lane;
        pair |= !row.high.is_empty();
    }
    WarpSource {
        low: &into.low[..map.len()],
        high: if pair { &into.high[..map.len()] } else { &[] },
        predicate: bits,
    }
}

/// Writes the lanes of `mask` of a result to the instruction's target.
#[inline(always)]
pub(crate) fn write_back(
    code: &Code,
    instruction: &Decoded,
    registers: &mut Registers,
    lanes: &Lanes,
    mask: u64,
    result: &WarpResult,
) {
    match lanes {
        Lanes::Warp { warp, .. } => {
            let (warp, width) = (usize::from(*warp), code.shape.width as usize);
            write_warp(code, instruction.target, registers, warp, width, mask, result);
        }
        Lanes::Mixed(map) => {
            for (lane, warp, place) in occupied(code, map) {
                if mask >> lane & 1 != 0 {
                    let target = instruction.target;
                    write_place(code, target, registers, warp, place, result, lane);
                }
            }
        }
    }
}

#[inline(always)]
fn write_warp(
    code: &Code,
    target: Target,
    registers: &mut Registers,
    warp: usize,
    width: usize,
    mask: u64,
    result: &WarpResult,
) {
    match target {
        Target::None => {}
        Target::Register { index, words } => {
            let first = (warp * code.registers + usize::from(index)) * width;
            write_row(
                code.vectors,
                &mut registers.general[first..first + width],
                &result.low,
                mask,
            );
            if words > 1 && !high_word_stays(mask, width) {
                let second = first + width;
                write_row(
                    code.vectors,
                    &mut registers.general[second..second + width],
                    &result.high,
                    mask,
                );
            }
        }
        Target::Predicate(index) => {
            let bits = &mut registers.predicates[warp * code.predicates + usize::from(index)];
            write_predicate(bits, result.predicate, mask);
        }
    }
}

/// Returns true if a planted fault keeps the high words of a pair that is written in the lanes of
/// `mask` of a warp of `width` lanes.
#[inline(always)]
fn high_word_stays(mask: u64, width: usize) -> bool {
    Planted::HighWordStays.is_on() && mask.count_ones() < width as u32
}

/// Writes the lanes of `mask` of a predicate register.
#[inline(always)]
fn write_predicate(bits: &mut u64, predicate: u64, mask: u64) {
    let others = if Planted::MaskedWriteKills.is_on() { 0 } else { *bits & !mask };
    *bits = others | predicate & mask;
}

/// Writes a lane's result as the result of one thread.
fn write_place(
    code: &Code,
    target: Target,
    registers: &mut Registers,
    warp: usize,
    place: usize,
    result: &WarpResult,
    lane: usize,
) {
    let width = code.shape.width as usize;
    match target {
        Target::None => {}
        Target::Register { index, words } => {
            let first = (warp * code.registers + usize::from(index)) * width + place;
            registers.general[first] = result.low[lane];
            if words > 1 {
                registers.general[first + width] = result.high[lane];
            }
        }
        Target::Predicate(index) => {
            let bits = &mut registers.predicates[warp * code.predicates + usize::from(index)];
            *bits = *bits & !(1 << place) | (result.predicate >> lane & 1) << place;
        }
    }
}

#[inline(always)]
fn write_row(vectors: Vectors, row: &mut [u32], values: &[u32; MAX_LANES], mask: u64) {
    let width = row.len().min(MAX_LANES);
    if let (BLOCK, Some(row)) = (width, row.first_chunk_mut()) {
        let values = values.first_chunk().unwrap_or(BlockSource::NONE.low);
        return rows::write(vectors, row, values, mask);
    }
    for (lane, (word, value)) in row.iter_mut().zip(values).enumerate() {
        if mask >> lane & 1 != 0 || Planted::MaskIgnored.is_on() {
            *word = *value;
        }
    }
}

/// The registers of a warp of [`BLOCK`] lanes.
pub(super) struct WarpRegisters<'a> {
    warp: usize,
    /// From its first one on.
    general: &'a mut [Words],
    /// From its first one on.
    predicates: &'a mut [u64],
}

impl Registers {
    /// The registers of a warp, which has [`BLOCK`] lanes.
    #[inline(always)]
    pub(super) fn of_warp(&mut self, code: &Code, warp: usize) -> Option<WarpRegisters<'_>> {
        let general = self.general.as_chunks_mut::<BLOCK>().0;
        let general = general.get_mut(warp * code.registers..)?;
        let predicates = self.predicates.get_mut(warp * code.predicates..)?;
        Some(WarpRegisters { warp, general, predicates })
    }
}

impl WarpRegisters<'_> {
    /// The lanes of `active` in which an instruction's guard holds.
    #[inline(always)]
    pub(super) fn guard(&self, instruction: &Decoded, active: u64) -> u64 {
        guarded(instruction, active, |index| {
            self.predicates.get(usize::from(index)).copied().unwrap_or(0)
        })
    }

    /// Executes a computation in the lanes of `mask`, not empty; the rows are for its result before that is written.
    #[inline(always)]
    pub(super) fn compute(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        rows: &SourceRows,
        mask: u64,
        low: &mut Words,
        high: &mut Words,
    ) {
        let pool = code.pool.as_chunks::<BLOCK>().0;
        let tables = Tables { general: self.general, predicates: self.predicates, pool };
        let indices = || IndexRows {
            block: code.block_row() - self.warp * code.registers,
            threads: 3 * self.warp,
        };
        let sources = rows.fetch(instruction.is_wide, &tables, indices);
        let predicate = instruction.evaluator.block(mask as u32, &sources, low, high);
        if let Some(row) = self.general.get_mut(instruction.target_row as usize) {
            return rows::write(code.vectors, row, low, mask);
        }
        match instruction.target {
            Target::None => {}
            Target::Predicate(index) => {
                if let Some(bits) = self.predicates.get_mut(usize::from(index)) {
                    write_predicate(bits, u64::from(predicate), mask);
                }
            }
            target => write_words(code.vectors, self.general, target, mask, [low, high]),
        }
    }
}

/// Writes the lanes of `mask` of a result that is no predicate to registers of a warp, its low words and, if it is a pair, its high ones.
#[inline(always)]
pub(super) fn write_words(
    vectors: Vectors,
    general: &mut [Words],
    target: Target,
    mask: u64,
    [low, high]: [&Words; 2],
) {
    let Target::Register { index, words } = target else { return };
    let index = usize::from(index);
    if let Some(row) = general.get_mut(index) {
        rows::write(vectors, row, low, mask);
    }
    if words > 1
        && !high_word_stays(mask, BLOCK)
        && let Some(row) = general.get_mut(index + 1)
    {
        rows::write(vectors, row, high, mask);
    }
}
