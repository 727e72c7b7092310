//! Counts the reads of values. A value is the result of one instruction in a register of a warp,
//! until other instructions have written the register in all of its lanes, or the warp has ended.

use super::slot::{Destination, Operands, entry};
use crate::handles::WarpSlot;

/// A value that is in a register.
#[derive(Clone, Copy, Debug)]
struct Value {
    lanes: u64,
    reads: u8,
}

/// The values in the registers of an SM's warps.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// By hardware warp and register.
    warps: Vec<Vec<Vec<Value>>>,
    /// Values that are no more, by number of reads: none, one, two, more.
    counts: [u64; 4],
}

impl Values {
    /// An instruction reads some registers. One that names a register twice reads it twice.
    pub(super) fn read(&mut self, operands: &Operands) {
        for &register in operands.registers() {
            for value in entry(&mut self.warps, operands.warp.row(register)) {
                value.reads += u8::from(value.lanes & operands.lanes != 0 && value.reads < 3);
            }
        }
    }

    /// An instruction writes some registers.
    pub(super) fn write(&mut self, result: &Destination) {
        for register in result.registers() {
            self.replace(result, register);
            let value = Value { lanes: result.lanes, reads: 0 };
            entry(&mut self.warps, result.warp.row(register)).push(value);
        }
    }

    /// An instruction writes some registers, but not here.
    pub(super) fn bypass(&mut self, result: &Destination) {
        result.registers().for_each(|register| self.replace(result, register));
    }

    /// The old value of a register is gone in some lanes.
    fn replace(&mut self, result: &Destination, register: u16) {
        let counts = &mut self.counts;
        entry(&mut self.warps, result.warp.row(register)).retain_mut(|value| {
            value.lanes &= !result.lanes;
            let is_over = value.lanes == 0;
            counts[usize::from(value.reads)] += u64::from(is_over);
            !is_over
        });
    }

    /// A warp has ended.
    pub(super) fn end(&mut self, warp: WarpSlot) {
        let registers = self.warps.get_mut(warp.index()).into_iter().flatten();
        for value in registers.flat_map(|values| values.drain(..)) {
            self.counts[usize::from(value.reads)] += 1;
        }
    }

    /// Values that are no more, by number of reads: none, one, two, more.
    pub(super) fn counts(&self) -> [u64; 4] {
        self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_over_when_no_lane_has_it() {
        let mut values = Values::default();
        let result = |lanes| Destination {
            warp: WarpSlot(2),
            register: 1,
            words: 1,
            lanes,
            ..Destination::default()
        };
        let mut operands = Operands::default();
        operands.push(1, false, Default::default());
        values.write(&result(0b1111));
        values.read(&operands.of(WarpSlot(2), 0b0001));
        values.write(&result(0b0011));
        assert_eq!(values.counts(), [0; 4], "the upper lanes still have the first one");
        values.read(&operands.of(WarpSlot(2), 0b1111));
        values.read(&operands.of(WarpSlot(2), 0b0010));
        values.read(&operands.of(WarpSlot(3), 0b1111));
        values.write(&result(0b1100));
        assert_eq!(values.counts(), [0, 0, 1, 0], "the first one was read twice");
        values.end(WarpSlot(2));
        assert_eq!(values.counts(), [1, 0, 2, 0], "and so was the second one, the third one never");
    }
}
