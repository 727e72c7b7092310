//! What the atomic built-ins make of the old value.

use super::arithmetic::{f32_of, f64_of, slot_f32, slot_f64};
use reconverge_compiler::check::builtin::Builtin;

/// An atomic operation: bytes it works on, and whether its result is a signed `int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// 2, 4 or 8.
    pub size: u32,
    /// Whether the old value is sign-extended in its slot.
    pub signed: bool,
}

/// The shape of an atomic built-in; `None` for any other.
pub fn shape(builtin: Builtin) -> Option<Shape> {
    use Builtin::*;
    let (size, signed) = match builtin {
        AtomicAddI | AtomicSubI | AtomicExchI | AtomicMinI | AtomicMaxI | AtomicCasI
        | AtomicAndI | AtomicOrI | AtomicXorI => (4, true),
        AtomicAddU | AtomicSubU | AtomicExchU | AtomicMinU | AtomicMaxU | AtomicInc | AtomicDec
        | AtomicCasU | AtomicAndU | AtomicOrU | AtomicXorU | AtomicAddF | AtomicExchF => (4, false),
        AtomicAddUL | AtomicAddD | AtomicExchUL | AtomicCasUL | AtomicMinUL | AtomicMaxUL
        | AtomicAndUL | AtomicOrUL | AtomicXorUL => (8, false),
        AtomicCasUS => (2, false),
        AtomicMinL | AtomicMaxL | AtomicAndL | AtomicOrL | AtomicXorL => (8, true),
        _ => return None,
    };
    Some(Shape { size, signed })
}

/// The new value, from the old one and the operands, all in slot form. Only the low bytes count.
pub fn combine(builtin: Builtin, old: u64, value: u64, third: u64) -> u64 {
    use Builtin::*;
    match builtin {
        AtomicAddI | AtomicAddU | AtomicAddUL => old.wrapping_add(value),
        AtomicSubI | AtomicSubU => old.wrapping_sub(value),
        AtomicAddF => slot_f32(f32_of(old) + f32_of(value)),
        AtomicAddD => slot_f64(f64_of(old) + f64_of(value)),
        AtomicExchI | AtomicExchU | AtomicExchUL | AtomicExchF => value,
        AtomicMinI | AtomicMinL => (old as i64).min(value as i64) as u64,
        AtomicMaxI | AtomicMaxL => (old as i64).max(value as i64) as u64,
        AtomicMinU | AtomicMinUL => old.min(value),
        AtomicMaxU | AtomicMaxUL => old.max(value),
        AtomicInc if old >= value => 0,
        AtomicInc => old + 1,
        AtomicDec if old == 0 || old > value => value,
        AtomicDec => old - 1,
        AtomicCasI | AtomicCasU | AtomicCasUS | AtomicCasUL if old == value => third,
        AtomicAndI | AtomicAndU | AtomicAndL | AtomicAndUL => old & value,
        AtomicOrI | AtomicOrU | AtomicOrL | AtomicOrUL => old | value,
        AtomicXorI | AtomicXorU | AtomicXorL | AtomicXorUL => old ^ value,
        _ => old,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results() {
        assert_eq!(combine(Builtin::AtomicInc, 5, 5, 0), 0);
        assert_eq!(combine(Builtin::AtomicInc, 4, 5, 0), 5);
        assert_eq!(combine(Builtin::AtomicDec, 0, 5, 0), 5);
        assert_eq!(combine(Builtin::AtomicCasU, 1, 1, 9), 9);
        assert_eq!(combine(Builtin::AtomicCasU, 2, 1, 9), 2);
        assert_eq!(combine(Builtin::AtomicMinI, -3i64 as u64, 1, 0), -3i64 as u64);
        assert!(shape(Builtin::Printf).is_none());
    }
}
