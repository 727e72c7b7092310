//! The new values that atomic built-ins compute from the old ones.

use super::arithmetic::{f32_of, f64_of, slot_f32, slot_f64};
use super::environment::Environment;
use reconverge_compiler::check::builtin::{Builtin, TABLE};

/// An atomic operation: bytes it works on, and whether its result is a signed `int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// 2, 4 or 8.
    pub size: u32,
    /// True if the old value is sign-extended in its slot.
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

/// Performs an atomic operation and gives the old value.
pub(super) fn step(
    env: &mut impl Environment,
    number: u32,
    address: u32,
    value: u64,
    third: u64,
) -> Option<u64> {
    let builtin = TABLE.get(number as usize)?.builtin;
    let shape = shape(builtin)?;
    if !env.allows_atomics(address) {
        return None;
    }
    if shape.size == 8 {
        let old = u64::from_le_bytes(env.load::<8>(address)?);
        let new = combine(builtin, old, value, third);
        env.store::<8>(address, new.to_le_bytes())?;
        return Some(old);
    }
    if shape.size == 2 {
        let old = u64::from(u16::from_le_bytes(env.load::<2>(address)?));
        let new = combine(builtin, old, value, third);
        env.store::<2>(address, (new as u16).to_le_bytes())?;
        return Some(old);
    }
    let bits = u32::from_le_bytes(env.load::<4>(address)?);
    let old = match shape.signed {
        true => bits as i32 as u64,
        false => bits as u64,
    };
    let new = combine(builtin, old, value, third);
    env.store::<4>(address, (new as u32).to_le_bytes())?;
    Some(old)
}

/// Bytes that an atomic operation works on.
pub(super) fn size(number: u32) -> u64 {
    let row = TABLE.get(number as usize);
    let shape = row.and_then(|row| shape(row.builtin));
    shape.map_or(4, |shape| shape.size as u64)
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
