//! Sources that are rows of words, one for each lane of a warp: found by decoding once, not at each execution.

use reconverge_isa::{BlockSource, Words};

use crate::decode::Source;

/// The sources of an instruction of which each is a register, a constant, or absent, or an address that is dequeued. Of a pair it is the row of the low words, which
/// that of the high words follows. Only of warps of [`BLOCK`] lanes.
///
/// [`BLOCK`]: reconverge_isa::BLOCK
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceRows([u32; 3]);

/// Addresses that are dequeued.
const DEQUEUED: u32 = u32::MAX - 1;

/// A source that is not there. Of others it is twice the number of the row, among the registers of the warp or, with 1 more, in the pool
/// of the code.
const ABSENT: u32 = u32::MAX;

impl SourceRows {
    /// Those of some sources, the first of which `is_address` says to be that; `None` if one is of another kind.
    pub(crate) fn of(sources: &[Source; 3], is_address: bool) -> Option<SourceRows> {
        let row = |source: &Source| match *source {
            Source::None => Some(ABSENT),
            Source::Register { index, .. } => Some(2 * u32::from(index)),
            Source::Pool { low, .. } => Some(2 * low + 1),
            _ => None,
        };
        let [a, b, c] = sources;
        let first = match a {
            Source::Queued if is_address => DEQUEUED,
            source => row(source)?,
        };
        Some(SourceRows([first, row(b)?, row(c)?]))
    }

    /// Whether the first one is dequeued.
    #[inline(always)]
    pub(super) fn dequeues(&self) -> bool {
        self.0[0] == DEQUEUED
    }

    /// The words of one of them, or of a pair the high ones, given the registers of the warp and the pool.
    #[inline(always)]
    pub(super) fn words<'a>(
        &self,
        at: usize,
        high: bool,
        [registers, pool]: [&'a [Words]; 2],
    ) -> &'a Words {
        let (at, high) = (self.0[at], usize::from(high));
        if at == ABSENT {
            return BlockSource::NONE.low;
        }
        let row = (at / 2) as usize + high;
        // Branches, which are mostly foreseen, take fewer host instructions than choices.
        match if at.is_multiple_of(2) { registers.get(row) } else { pool.get(row) } {
            Some(words) => words,
            None => missing(),
        }
    }

    /// All of them; the high words only if they are `wide`.
    #[inline(always)]
    pub(super) fn fetch<'a>(
        &self,
        is_wide: bool,
        tables: [&'a [Words]; 2],
    ) -> [BlockSource<'a>; 3] {
        let source = |at| {
            let low = self.words(at, false, tables);
            let high = if is_wide { self.words(at, true, tables) } else { low };
            BlockSource { low, high, predicate: 0 }
        };
        [source(0), source(1), source(2)]
    }
}

/// What stands for the high words of a source that is no pair, if there is no row after it; nothing reads them.
#[cold]
fn missing() -> &'static Words {
    BlockSource::NONE.low
}
