//! Alignment: how many low bits of each value are certainly zero (a part of the known bits of Harrison,
//! "Compiler Analysis of the Value Ranges for Variables", 1977, and of most compilers since).
//!
//! It claims this for every launch. A pointer that the host passes is not known to be aligned, nor are the
//! sizes of blocks and grids.

use super::sparse;
use crate::ir::{Function, Kind, Value};
use reconverge_isa::{Op, Space};

/// The most low bits that any use of the analysis needs; a constant 0 has all of them.
const ALL: u8 = 32;
/// Windows begin at multiples of 64 KiB.
const WINDOW: u8 = 16;

/// For each value how many of its lowest bits are zero in every thread.
pub fn zero_bits(function: &Function) -> Vec<u8> {
    // Going only down keeps the number of visits small.
    sparse::solve(function, ALL, |bits, value| of(function, bits, value).min(bits[value.index()]))
}

fn of(function: &Function, bits: &[u8], value: Value) -> u8 {
    let at = |value: Value| bits[value.index()];
    match function.kind(value) {
        Kind::Constant(bits) => low_zeroes(*bits),
        Kind::Address(Space::Generic, _) => 0,
        Kind::Address(_, offset) => low_zeroes((*offset).into()).min(WINDOW),
        Kind::Slot(slot) => {
            let slot = function.slots.get(slot.0 as usize);
            slot.map_or(0, |slot| low_zeroes(slot.align.max(1).into()).min(WINDOW))
        }
        Kind::Phi(incoming) => incoming.iter().map(|&(_, from)| at(from)).min().unwrap_or(0),
        Kind::Compute(op, operands) => {
            let [a, b] = [0, 1].map(|index| operands.get(index).map_or(0, |&operand| at(operand)));
            let count = || operands.get(1).and_then(|&count| function.constant(count));
            let count = || count().map(|count| count.min(u64::from(ALL)) as u8);
            match op {
                Op::Add | Op::Sub | Op::Or | Op::Xor => a.min(b),
                Op::Add64 | Op::Sub64 | Op::Or64 | Op::Xor64 => a.min(b),
                Op::And | Op::And64 => a.max(b),
                Op::Mul | Op::Mul64 => (a + b).min(ALL),
                Op::Shl | Op::Shl64 => (a + count().unwrap_or(0)).min(ALL),
                Op::ShrU32 | Op::ShrS32 => count().map_or(0, |count| a.saturating_sub(count)),
                Op::Select | Op::Select64 => b.min(operands.get(2).map_or(0, |&other| at(other))),
                Op::Mov | Op::Mov64 | Op::Low | Op::Sext32 | Op::Zext32 => a,
                _ => 0,
            }
        }
        _ => 0,
    }
}

/// The zeroes below a number's lowest one.
fn low_zeroes(number: u64) -> u8 {
    number.trailing_zeros().min(u32::from(ALL)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    #[test]
    fn sums_products_shifts_and_loops() {
        let text = "kernel k {\n  slot s0 \"a\" 64 16\nb0:\n %0 = special tid.x\n %1 = const.b32 4\n \
                    %2 = shl.b32 %0, %1\n %3 = address.shared 32\n %4 = add.i32 %3, %2\n \
                    %5 = const.b32 12\n %6 = mul.i32 %0, %5\n %7 = param.global 0\n \
                    %8 = slot s0\n %9 = const.pred true\n jump b1\nb1:\n \
                    %10 = phi.b32 b0 %4, b1 %11\n %11 = add.i32 %10, %5\n \
                    st.shared.b32 %10, %6\n branch %9, b1, b2\nb2:\n return\n}";
        let function = parse(text).unwrap().functions.remove(0);
        let bits = zero_bits(&function);
        let known = [0, 2, 4, 5, 4, 2, 2, 0, 4, 0, 2, 2];
        assert_eq!(bits[..12], known);
    }
}
