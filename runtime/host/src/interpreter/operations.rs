//! The results of operations without effects.

use super::arithmetic::{Side, f32_of, f64_of, slot_f32, slot_f64};
use super::bytecode::{Inst, Op};
use super::kind::Kind;

/// The address of an element.
#[inline(always)]
pub fn element(base: u64, index: u64, stride: u32, offset: u32) -> u32 {
    (base as u32).wrapping_add((index as u32).wrapping_mul(stride)).wrapping_add(offset)
}

/// The result of a shift by the count in `register`'s low 32 bits: zero beyond `most`.
#[inline(always)]
fn shifted<T: Default>(register: u64, most: u32, shift: impl Fn(u32) -> T) -> T {
    let count = register as u32;
    if count > most { T::default() } else { shift(count) }
}

/// `<`; its negation is not `>=`, because of NaN.
#[inline(always)]
fn is_less<T: PartialOrd>(left: T, right: T) -> bool {
    left < right
}

/// The meaning of `<=`.
#[inline(always)]
fn is_at_most<T: PartialOrd>(left: T, right: T) -> bool {
    left <= right
}

/// The result of an operation on its sources and immediates; for a conditional jump, true if it
/// jumps. Zero for operations with effects. If the operation is constant, this compiles to the
/// operation alone.
#[inline(always)]
pub fn compute(op: Op, b: u64, c: u64, inst: &Inst) -> u64 {
    let f32s = |value: f32| slot_f32(value);
    let (fb, fc, db, dc) = (f32_of(b), f32_of(c), f64_of(b), f64_of(c));
    let (ib, ic) = (b as i32, c as i32);
    let (ub, uc) = (b as u32, c as u32);
    match op {
        Op::Move => b,
        Op::Const => (inst.y as u64) << 32 | inst.x as u64,
        Op::AddI32 => ib.wrapping_add(ic) as u64,
        Op::AddU32 => ub.wrapping_add(uc) as u64,
        Op::Add64 => b.wrapping_add(c),
        Op::SubI32 => ib.wrapping_sub(ic) as u64,
        Op::SubU32 => ub.wrapping_sub(uc) as u64,
        Op::Sub64 => b.wrapping_sub(c),
        Op::MulI32 => ib.wrapping_mul(ic) as u64,
        Op::MulU32 => ub.wrapping_mul(uc) as u64,
        Op::Mul64 => b.wrapping_mul(c),
        Op::And => b & c,
        Op::Or => b | c,
        Op::Xor => b ^ c,
        Op::ShlI32 => shifted(c, 31, |count| ib << count) as u64,
        Op::ShlU32 => shifted(c, 31, |count| ub << count) as u64,
        Op::Shl64 => shifted(c, 63, |count| b << count),
        Op::ShrI32 => (ib >> uc.min(31)) as u64,
        Op::ShrU32 => shifted(c, 31, |count| ub >> count) as u64,
        Op::ShrI64 => ((b as i64) >> uc.min(63)) as u64,
        Op::ShrU64 => shifted(c, 63, |count| b >> count),
        Op::NegI32 => ib.wrapping_neg() as u64,
        Op::NegU32 => ub.wrapping_neg() as u64,
        Op::Neg64 => b.wrapping_neg(),
        Op::Not64 => !b,
        Op::NotU32 => !ub as u64,

        Op::AddF32 => f32s(fb + fc),
        Op::SubF32 => f32s(fb - fc),
        Op::MulF32 => f32s(fb * fc),
        Op::DivF32 => f32s(fb / fc),
        Op::NegF32 => (b ^ 1 << 31) as u32 as u64,
        Op::AddF64 => slot_f64(db + dc),
        Op::SubF64 => slot_f64(db - dc),
        Op::MulF64 => slot_f64(db * dc),
        Op::DivF64 => slot_f64(db / dc),
        Op::NegF64 => b ^ 1 << 63,

        Op::Eq | Op::JumpEq => (b == c) as u64,
        Op::Ne | Op::JumpNe | Op::LoopNe => (b != c) as u64,
        Op::LtS | Op::JumpLtS | Op::LoopLtS => ((b as i64) < c as i64) as u64,
        Op::LeS | Op::JumpLeS | Op::LoopLeS => (b as i64 <= c as i64) as u64,
        Op::LtU | Op::JumpLtU | Op::LoopLtU => (b < c) as u64,
        Op::LeU | Op::JumpLeU | Op::LoopLeU => (b <= c) as u64,
        Op::EqF32 | Op::JumpEqF32 => (fb == fc) as u64,
        Op::NeF32 | Op::JumpNeF32 => (fb != fc) as u64,
        Op::LtF32 | Op::JumpLtF32 => (fb < fc) as u64,
        Op::LeF32 | Op::JumpLeF32 => (fb <= fc) as u64,
        Op::JumpNotLtF32 => !is_less(fb, fc) as u64,
        Op::JumpNotLeF32 => !is_at_most(fb, fc) as u64,
        Op::EqF64 | Op::JumpEqF64 => (db == dc) as u64,
        Op::NeF64 | Op::JumpNeF64 => (db != dc) as u64,
        Op::LtF64 | Op::JumpLtF64 => (db < dc) as u64,
        Op::LeF64 | Op::JumpLeF64 => (db <= dc) as u64,
        Op::JumpNotLtF64 => !is_less(db, dc) as u64,
        Op::JumpNotLeF64 => !is_at_most(db, dc) as u64,

        Op::Ext8S => b as i8 as u64,
        Op::Ext8U => b as u8 as u64,
        Op::Ext16S => b as i16 as u64,
        Op::Ext16U => b as u16 as u64,
        Op::Ext32S => ib as u64,
        Op::Ext32U => ub as u64,
        Op::SToF32 => f32s(b as i64 as f32),
        Op::UToF32 => f32s(b as f32),
        Op::SToF64 => slot_f64(b as i64 as f64),
        Op::UToF64 => slot_f64(b as f64),
        Op::F32ToF64 => slot_f64(fb as f64),
        Op::F64ToF32 => f32s(db as f32),
        Op::F32ToInt => to_integer(fb as f64, true, inst),
        Op::F64ToInt => to_integer(db, false, inst),

        Op::Address => element(b, c, inst.x, inst.y) as u64,
        Op::AddressBack => element(b, uc.wrapping_neg() as u64, inst.x, 0) as u64,
        Op::Difference => {
            let bytes = ub.wrapping_sub(uc) as i32 as i64;
            bytes.checked_div(inst.x as i64).unwrap_or(0) as u64
        }
        _ => 0,
    }
}

fn to_integer(value: f64, single: bool, inst: &Inst) -> u64 {
    Side::from_number(inst.y).integer(value, single, Kind::from_number(inst.x))
}

/// One of the operations that trap on a zero divisor; `None` is the trap.
#[inline(always)]
pub fn divide(op: Op, left: u64, right: u64) -> Option<u64> {
    if right == 0 {
        return None;
    }
    let (signed, by) = (left as i64, right as i64);
    Some(match op {
        Op::DivI32 => (left as i32).wrapping_div(right as i32) as u64,
        Op::RemI32 => (left as i32).wrapping_rem(right as i32) as u64,
        Op::DivI64 => signed.wrapping_div(by) as u64,
        Op::RemI64 => signed.wrapping_rem(by) as u64,
        Op::DivU => left / right,
        _ => left % right,
    })
}
