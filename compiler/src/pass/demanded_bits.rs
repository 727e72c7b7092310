//! Demanded bits: the bits of each integer that can affect any reader (the backward half of bitwise
//! constant propagation; Stephenson, Babb and Amarasinghe, "Bitwidth Analysis with Application to
//! Silicon Compilation", 2000, 2.2). A mask that only clears bits without a reader is left out. So
//! is an extension, or a constant that only changes such bits. Among several masks in a row, as in
//! the iterations of an unrolled loop, the last remains.

use super::forward::Forward;
use crate::ir::{Function, Kind, Operands, Type, Value};
use reconverge_isa::planted::Planted;
use reconverge_isa::{Op, Width};

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let demanded = demanded(function);
    let mut forward = Forward::new(function);
    for (_, value) in function.placed() {
        if let Kind::Compute(op, operands) = function.kind(value)
            && let Some(same) = superfluous(function, *op, operands, demanded[value.index()])
        {
            forward.replace(value, same);
        }
    }
    forward.apply(function)
}

/// The replacement of an operation if only these bits of its result are read. No further bits of
/// the operand are read then.
fn superfluous(function: &Function, op: Op, operands: &Operands, bits: u64) -> Option<Value> {
    let within = |mask: u64| bits & !mask == 0;
    let constant = || operands.get(1).and_then(|&operand| function.constant(operand));
    let unchanged = match op {
        Op::And | Op::And64 => within(constant()?),
        Op::Or | Op::Or64 | Op::Xor | Op::Xor64 => within(!constant()?),
        Op::Zext8 | Op::Sext8 => within(0xff),
        Op::Zext16 | Op::Sext16 => within(0xffff),
        _ => false,
    };
    unchanged.then_some(operands[0])
}

/// For each value the bits that can affect any reader.
fn demanded(function: &Function) -> Vec<u64> {
    let mut demanded = vec![0u64; function.values.len()];
    let mut pending = Vec::new();
    for (_, value) in function.placed() {
        if !function.is_removable(value) {
            pending.push(value);
        }
    }
    // Bits are only ever added; each value is examined again at most once for each of its bits.
    let mut seen = vec![false; function.values.len()];
    pending.iter().for_each(|value| seen[value.index()] = true);
    while let Some(value) = pending.pop() {
        let bits = demanded[value.index()];
        let kind = function.kind(value);
        let mut index = 0;
        kind.each_operand(|operand| {
            let ty = function.ty(operand);
            let more = asked(function, kind, index, bits, ty) & ty.mask();
            index += 1;
            let old = demanded[operand.index()];
            let first = !std::mem::replace(&mut seen[operand.index()], true);
            if first || more & !old != 0 {
                demanded[operand.index()] = old | more;
                pending.push(operand);
            }
        });
    }
    demanded
}

/// The bits of an operand on which some of these bits of the result depend.
fn asked(function: &Function, kind: &Kind, index: usize, bits: u64, ty: Type) -> u64 {
    let all = ty.mask();
    match kind {
        Kind::Phi(_) => bits,
        Kind::Store(access, ..) if index == 1 => match access.width {
            Width::U8 | Width::S8 => 0xff,
            Width::U16 | Width::S16 => 0xffff,
            _ => all,
        },
        Kind::Compute(op, operands) => computed(function, *op, operands, index, bits, all),
        _ => all,
    }
}

fn computed(
    function: &Function,
    op: Op,
    operands: &Operands,
    index: usize,
    bits: u64,
    all: u64,
) -> u64 {
    use Op::*;
    let second = operands.get(1).and_then(|&operand| function.constant(operand));
    let width = u64::from(all.trailing_ones());
    let count = second.filter(|&count| count < width);
    match (op, index) {
        (Mov | Mov64 | Not | Not64 | Xor | Xor64, _) => bits,
        (And | And64, 0) => bits & second.unwrap_or(all),
        (Or | Or64, 0) => bits & !second.unwrap_or(0),
        (And | And64 | Or | Or64, _) => bits,
        // A carry goes up only.
        (Add | Add64 | Sub | Sub64 | Mul | Mul64, _) => below(bits),
        (Mad | Mad64, _) => below(bits),
        (Select | Select64, 1 | 2) => bits,
        (Shl | Shl64, 0) => count.map_or(below(bits), |count| bits >> count),
        (ShrU32 | ShrU64, 0) => count.map_or(all, |count| bits << count),
        (ShrS32 | ShrS64, 0) => count.map_or(all, |count| {
            let copies = all & !(all >> count);
            let sign =
                if bits & copies != 0 && !Planted::SignNotAsked.is_on() { !(all >> 1) } else { 0 };
            bits << count | sign & all
        }),
        (Low | Zext32, 0) => bits & 0xffff_ffff,
        (Sext32, 0) => bits & 0xffff_ffff | u64::from(bits >> 32 != 0) << 31,
        (Zext8, 0) => bits & 0xff,
        (Zext16, 0) => bits & 0xffff,
        (Sext8, 0) => bits & 0xff | u64::from(bits >> 8 != 0) << 7,
        (Sext16, 0) => bits & 0xffff | u64::from(bits >> 16 != 0) << 15,
        _ => all,
    }
}

/// All bits from the highest of these down.
fn below(bits: u64) -> u64 {
    u64::MAX.checked_shr(bits.leading_zeros()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use crate::pass::tests::after;

    #[test]
    fn of_masks_in_a_row_the_last_remains() {
        let text = "  %0 = param.b32 0\n  %1 = const.b32 511\n  %2 = const.b32 1\n  \
                    %3 = shl.b32 %0, %2\n  %4 = and.b32 %3, %1\n  %5 = shl.b32 %4, %2\n  \
                    %6 = xor.b32 %5, %2\n  %7 = and.b32 %6, %1\n  st.global.b32 %0, %7\n  return";
        let found = after("demanded-bits", text);
        assert!(found.contains("%5 = shl.b32 %3, %2") && found.contains("%7 = and.b32"), "{found}");
    }

    #[test]
    fn a_mask_in_front_of_what_reads_all_bits_stays() {
        for (op, name) in [("shr.u32", "a shift to the right"), ("div.u32", "a quotient")] {
            let text = format!(
                "  %0 = param.b32 0\n  %1 = const.b32 255\n  %2 = and.b32 %0, %1\n  \
                 %3 = const.b32 3\n  %4 = {op} %2, %3\n  %5 = and.b32 %4, %1\n  \
                 st.global.b32 %0, %5\n  return"
            );
            assert_eq!(after("demanded-bits", &text), format!("{text}\n"), "{name}");
        }
    }
}
