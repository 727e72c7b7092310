//! The operand staging unit's state of registers, banks, paths and warps.

use crate::handles::RegisterRow;
use std::collections::BTreeSet;

use reconverge_isa::RegisterSet;

use crate::execute::lanes::lanes_of;
use crate::program::regions::Regions;

/// A register of a warp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Register {
    /// It has an entry, which is in flight from the backing store, or differs from its copy there.
    pub(super) is_here: bool,
    pub(super) is_loading: bool,
    pub(super) is_dirty: bool,
    /// The backing store has its value, or that of the lanes that the entry lacks; and has it compressed.
    pub(super) is_stored: bool,
    pub(super) is_compressed: bool,
    /// The entry lacks lanes.
    pub(super) is_partial: bool,
    /// Its values are affine.
    pub(super) is_affine: bool,
    /// No thread needs it.
    pub(super) is_dead: bool,
    /// Regions of paths that hold it, instructions that are still to read it, and lanes that are still to be written.
    pub(super) regions: u16,
    pub(super) reads: u16,
    pub(super) pending: u64,
    /// The cycle in which the last written value is in its bank.
    pub(super) there: u64,
    /// Since when it is held no longer, in the order of such events.
    pub(super) since: u64,
}

impl Register {
    /// Somebody needs its entry.
    pub(super) fn is_held(&self) -> bool {
        self.regions != 0 || self.reads != 0 || self.pending != 0 || self.is_loading
    }

    /// Its entry counts beside those that regions were given.
    pub(super) fn is_beside(&self) -> bool {
        self.is_here && self.regions == 0 && self.is_held()
    }

    /// Its entry may be taken.
    pub(super) fn is_free(&self) -> bool {
        self.is_here && !self.is_held()
    }
}

/// The position of a register in the order of eviction: first those that need no write-back, then
/// by age.
pub(super) type Order = (bool, u64, RegisterRow);

/// A bank.
#[derive(Debug, Default)]
pub(super) struct Bank {
    /// Entries in use, those that regions were given, and those held beside these.
    pub(super) used: u32,
    pub(super) given: u32,
    pub(super) beside: u32,
    /// Registers that no path holds.
    pub(super) free: BTreeSet<Order>,
}

/// The progress of a path with its region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    /// It has none.
    #[default]
    Out,
    /// It waits for room since a cycle.
    Requests(u64),
    /// Registers are in flight.
    Brings,
    /// Instructions may issue from a cycle on.
    In(u64),
}

/// A path of a warp.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OfPath {
    pub(super) state: State,
    pub(super) region: u32,
    /// Its PC; and true if that instruction has issued.
    pub(super) pc: u32,
    pub(super) has_issued: bool,
    pub(super) lanes: u64,
    /// The registers that the region holds.
    pub(super) held: RegisterSet,
    /// The cycle in which all arrived registers are in their banks.
    pub(super) ready: u64,
}

/// A hardware warp that a block has.
#[derive(Debug, Default)]
pub(super) struct Warp {
    /// Warps that have started before it.
    pub(super) age: u64,
    pub(super) registers: Vec<Register>,
    /// Registers that are still to be written from far.
    pub(super) long: RegisterSet,
    /// By bank: registers that no path holds.
    pub(super) free: Vec<u32>,
    pub(super) paths: Vec<OfPath>,
}

impl Warp {
    /// Returns true if it will soon need its staged registers: it is in a region, or waits for one
    /// and not for a result of long latency.
    pub(super) fn is_busy(&self, regions: &Regions) -> bool {
        self.paths.iter().any(|path| match path.state {
            State::Out => false,
            State::Brings | State::In(_) => true,
            State::Requests(_) => !regions.get(path.region).accesses.meets(&self.long),
        })
    }
}

/// Returns true if the values of some lanes of a row are a base and a stride a lane, modulo 2³².
pub(super) fn is_affine(row: &[u32], lanes: u64) -> bool {
    let mut values = lanes_of(lanes).filter_map(|lane| Some((lane as u32, *row.get(lane)?)));
    let Some((first, base)) = values.next() else { return false };
    let Some((second, next)) = values.next() else { return true };
    let (apart, more) = (second - first, next.wrapping_sub(base));
    // A stride that is no whole number is none.
    if (more as i32) % (apart as i32) != 0 {
        return false;
    }
    let stride = ((more as i32) / (apart as i32)) as u32;
    values.all(|(lane, value)| value == base.wrapping_add(stride.wrapping_mul(lane - first)))
}

/// The registers that the region of a warp may displace.
pub(super) struct Reach {
    /// The ages of the warps that need their registers soon, the youngest first.
    pub ages: Vec<u64>,
    /// A row per age with a sum per bank: registers that no path holds, of warps that do not need them soon or have that age or
    /// less.
    pub free: Vec<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_and_a_stride_in_each_lane_are_affine() {
        let affine = |row: &[u32], lanes| is_affine(row, lanes);
        assert!(affine(&[7, 7, 7, 7], 0b1111));
        assert!(affine(&[0, 4, 8, 12], 0b1111));
        assert!(affine(&[1, 0, u32::MAX, u32::MAX - 1], 0b1111));
        // Modulo 2³², and lanes that do not count.
        assert!(affine(&[u32::MAX - 1, 99, 2, 4], 0b1101));
        assert!(affine(&[5, 99, 99, 99], 0b0001));
        assert!(!affine(&[0, 1, 2, 4], 0b1111));
        // From lane 0 to lane 2 by 3: no stride.
        assert!(!affine(&[0, 99, 3, 99], 0b0101));
        assert!(!affine(&[0, 0, 0, 0], 0));
    }
}
