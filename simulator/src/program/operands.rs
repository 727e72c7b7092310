//! Sources and targets of instructions, resolved.

/// A source operand, resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Absent.
    None,
    /// So many registers from this one on: 1, 2 or 4.
    Register { index: u16, words: u8 },
    /// Rows of the pool of the code: low words and high words.
    Pool { low: u32, high: u32, pair: bool },
    /// A predicate.
    Predicate { index: u16, negated: bool },
    /// The thread's index in the block along an axis.
    Thread(u8),
    /// The block's index in the grid along an axis.
    Block(u8),
    /// The entry taken from a queue of the warp.
    Queued,
}

impl Source {
    /// Returns true if it exists but is neither a register nor a predicate.
    pub(crate) fn is_other(&self) -> bool {
        matches!(self, Source::Pool { .. } | Source::Thread(_) | Source::Block(_))
    }
}

/// The target of a result, resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    None,
    Register { index: u16, words: u8 },
    Predicate(u16),
}
