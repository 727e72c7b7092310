//! Conversions between scalar kinds.

use super::builder::Builder;
use crate::interpreter::bytecode::{Op, Slot};
use crate::interpreter::kind::Kind;

impl Builder<'_> {
    /// Converts a slot; gives the same slot back when the bits already are right.
    pub(super) fn convert(
        &mut self,
        value: Slot,
        from: Kind,
        to: Kind,
        want: Option<Slot>,
    ) -> Slot {
        if from == to {
            return value;
        }
        if to == Kind::Bool {
            return self.truth(value, from, want);
        }
        let (op, x) = match (from, to) {
            (Kind::F32, Kind::F64) => (Op::F32ToF64, 0),
            (Kind::F64, Kind::F32) => (Op::F64ToF32, 0),
            (Kind::F32, to) => (Op::F32ToInt, to as u32),
            (Kind::F64, to) => (Op::F64ToInt, to as u32),
            (from, Kind::F32) if from.is_signed() => (Op::SToF32, 0),
            (from, Kind::F64) if from.is_signed() => (Op::SToF64, 0),
            (_, Kind::F32) => (Op::UToF32, 0),
            (_, Kind::F64) => (Op::UToF64, 0),
            (from, to) if from.fits(to) => return value,
            (_, to) => match extension(to) {
                Some(op) => (op, 0),
                None => return value,
            },
        };
        let target = self.target(want);
        self.emit(op, target, value, 0, x, self.code.side as u32);
        target
    }

    fn truth(&mut self, value: Slot, from: Kind, want: Option<Slot>) -> Slot {
        let zero = self.constant(0);
        let op = match from {
            Kind::F32 => Op::NeF32,
            Kind::F64 => Op::NeF64,
            _ => Op::Ne,
        };
        let target = self.target(want);
        self.emit3(op, target, value, zero);
        target
    }

    /// Brings the result of arithmetic in the promoted kind back to `kind`, in its own slot.
    pub(super) fn narrow(&mut self, slot: Slot, kind: Kind) {
        let converted = self.convert(slot, kind.promoted(), kind, Some(slot));
        self.move_to(slot, converted);
    }
}

/// The instruction that cuts any integer to a kind.
fn extension(kind: Kind) -> Option<Op> {
    Some(match kind {
        Kind::I8 => Op::Ext8S,
        Kind::U8 => Op::Ext8U,
        Kind::I16 => Op::Ext16S,
        Kind::U16 => Op::Ext16U,
        Kind::I32 => Op::Ext32S,
        Kind::U32 | Kind::Pointer => Op::Ext32U,
        Kind::Bool | Kind::I64 | Kind::U64 | Kind::F32 | Kind::F64 => return None,
    })
}
