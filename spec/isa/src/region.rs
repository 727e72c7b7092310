//! Regions of the code: a record beside a kernel. [`region_rules`](crate::region_rules) has their purpose and
//! rules.

/// A part of a basic block; it goes to where the next one begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Its first instruction.
    pub start: u32,
    /// Registers that are loaded before it begins, in ascending order.
    pub preloads: Vec<u8>,
    /// Registers whose values no thread of the warp needs from here on, in ascending order.
    pub erasures: Vec<u8>,
}

/// The bit of [`Record::evictions`](crate::Record::evictions) that is the result's; source `i` has bit `i`.
pub const EVICTS_RESULT: u8 = 1 << 3;
