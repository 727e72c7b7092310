//! The demands of a machine's mechanisms on the compiler.

use reconverge_isa::RegisterLevel;

use crate::program::regions::RegionCapacity;

/// The annotations and streams that a machine's mechanisms need from the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demands {
    /// The scheduler needs hints about loops around loads.
    pub load_hints: bool,
    /// The register file needs the number of long-lived registers.
    pub lifetimes: bool,
    /// The levels in front of the main register file, for the compiler to fill.
    pub levels: Option<ManagedLevels>,
    /// The capacity of a register file that holds registers of regions only.
    pub regions: Option<RegionCapacity>,
    /// The kernels to compile into two streams.
    pub streams: Streams,
}

/// The kernels that a machine needs compiled into two streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Streams {
    /// None.
    #[default]
    One,
    /// Those that the compiler considers profitable.
    TwoWhereProfitable,
    /// All that can be.
    TwoOfAll,
}

/// The levels of a register file in front of its main part, for the compiler to fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManagedLevels {
    /// True if there is a last result file.
    pub last_result: bool,
    /// Entries of the operand register file, of each thread.
    pub operand_entries: u8,
}

impl ManagedLevels {
    /// Returns true if there is such a level, with that entry and those for `words` words.
    pub(crate) fn has(self, level: RegisterLevel, words: u8) -> bool {
        match level {
            RegisterLevel::Main => true,
            RegisterLevel::LastResult => self.last_result,
            RegisterLevel::Operand(entry) => entry.saturating_add(words) <= self.operand_entries,
        }
    }
}
