//! Sources as rows of words, one for each lane of a warp: found by decoding once, not at each execution.

use reconverge_isa::{BlockSource, Words};

use crate::program::operands::Source;

/// The sources of an instruction in warps of [`BLOCK`] lanes. Each has its kind in the lowest bits,
/// and then its number. A pair is named by the row of its low words, which the row of its high
/// words follows.
///
/// [`BLOCK`]: reconverge_isa::BLOCK
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceRows {
    sources: [u32; 3],
    /// Each is a register or a constant, as most are.
    is_plain: bool,
    /// There is a third one.
    is_ternary: bool,
}

/// The sources of a warp's instructions: its registers, from its first ones on, and the pool of its
/// code.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    pub(super) general: &'a [Words],
    pub(super) predicates: &'a [u64],
    pub(super) pool: &'a [Words],
}

/// The rows of indices along the first axis.
pub(super) struct IndexRows {
    /// Among the registers of the warp: of the block.
    pub(super) block: usize,
    /// In the pool: of the warp's threads.
    pub(super) threads: usize,
}

/// The number of bits for the kind of a source.
const KIND_BITS: u32 = 3;

const REGISTER: u32 = 0;
/// A row of the code's pool.
const POOL: u32 = 1;
const PREDICATE: u32 = 2;
/// The complement of a predicate.
const COMPLEMENT: u32 = 3;
/// The thread's index along an axis.
const THREAD: u32 = 4;
/// The block's index along an axis.
const BLOCK_INDEX: u32 = 5;
/// An address that is dequeued.
const DEQUEUED: u32 = 6;

impl SourceRows {
    /// The rows of some sources, the first of which is an address if `is_address`; `None` if
    /// another one is dequeued.
    pub(crate) fn of(sources: &[Source; 3], is_address: bool) -> Option<SourceRows> {
        let mut rows =
            SourceRows { sources: [0; 3], is_plain: true, is_ternary: sources[2] != Source::None };
        for (at, (row, source)) in rows.sources.iter_mut().zip(sources).enumerate() {
            let (kind, index) = match *source {
                // Nothing reads it; a warp has a register.
                Source::None => (REGISTER, 0),
                Source::Register { index, .. } => (REGISTER, u32::from(index)),
                Source::Pool { low, .. } => (POOL, low),
                Source::Predicate { index, negated: false } => (PREDICATE, u32::from(index)),
                Source::Predicate { index, negated: true } => (COMPLEMENT, u32::from(index)),
                Source::Thread(axis) => (THREAD, u32::from(axis)),
                Source::Block(axis) => (BLOCK_INDEX, u32::from(axis)),
                Source::Queued if at == 0 && is_address => (DEQUEUED, 0),
                Source::Queued => return None,
            };
            *row = index << KIND_BITS | kind;
            rows.is_plain &= matches!(kind, REGISTER | POOL);
        }
        Some(rows)
    }

    /// Returns true if the first one is dequeued.
    #[inline(always)]
    pub(super) fn dequeues(&self) -> bool {
        self.sources[0] == DEQUEUED
    }

    /// The words of a source that is a register or a constant, or of a pair the high ones.
    #[inline(always)]
    pub(super) fn words<'a>(&self, at: usize, high: bool, tables: &Tables<'a>) -> &'a Words {
        let source = self.sources[at];
        let row = (source >> KIND_BITS) as usize + usize::from(high);
        // Branches are mostly predicted and take fewer host instructions than selections; one bit
        // distinguishes these two.
        match if source & POOL == 0 { tables.general.get(row) } else { tables.pool.get(row) } {
            Some(words) => words,
            None => missing(),
        }
    }

    /// All of them; the high words only if they are `wide`.
    #[inline(always)]
    pub(super) fn fetch<'a>(
        &self,
        is_wide: bool,
        tables: &Tables<'a>,
        indices: impl FnOnce() -> IndexRows,
    ) -> [BlockSource<'a>; 3] {
        if !self.is_plain {
            // A copy, so that those of most instructions need not be in memory.
            let tables = *tables;
            return self.fetch_any(&tables, indices());
        }
        let source = |at| {
            let low = self.words(at, false, tables);
            let high = if is_wide { self.words(at, true, tables) } else { low };
            BlockSource { low, high, predicate: 0 }
        };
        let third = if self.is_ternary { source(2) } else { BlockSource::NONE };
        [source(0), source(1), third]
    }

    /// The same, for sources of any kind.
    #[inline(never)]
    fn fetch_any<'a>(&self, tables: &Tables<'a>, indices: IndexRows) -> [BlockSource<'a>; 3] {
        let source = |at: usize| {
            let (low, high) = (self.words(at, false, tables), self.words(at, true, tables));
            let index = (self.sources[at] >> KIND_BITS) as usize;
            let predicate = tables.predicates.get(index).copied().unwrap_or(0) as u32;
            let row = |rows: &'a [Words], at: usize| match rows.get(at) {
                Some(low) => BlockSource { low, ..BlockSource::NONE },
                None => BlockSource::NONE,
            };
            match self.sources[at] % (1 << KIND_BITS) {
                PREDICATE => BlockSource { predicate, ..BlockSource::NONE },
                COMPLEMENT => BlockSource { predicate: !predicate, ..BlockSource::NONE },
                THREAD => row(tables.pool, indices.threads + index),
                BLOCK_INDEX => row(tables.general, indices.block + index),
                _ => BlockSource { low, high, predicate: 0 },
            }
        };
        [source(0), source(1), source(2)]
    }
}

/// There is no row after that of a source which is no pair; nothing reads it.
#[cold]
fn missing() -> &'static Words {
    BlockSource::NONE.low
}
