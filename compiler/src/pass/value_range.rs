//! Decisions by ranges of integers (Patterson, "Accurate Static Branch Prediction by Value Range
//! Propagation", 1995; Harrison, 1977): comparisons with a constant result, masks that clear
//! nothing, extensions of values that fit already, the smaller of two ranges that do not meet.
//! Signed divisions of values that are never negative become unsigned ones, which are shifts and
//! masks if the divisor is a power of two.

use super::forward::Forward;
use crate::analysis::value_range::{Range, Ranges};
use crate::ir::{Block, Function, Kind, Operands, Type, Value};
use reconverge_isa::planted::Planted;
use reconverge_isa::table::evaluate_lane;
use reconverge_isa::{Effect, Op};

/// The replacement of an instruction.
enum Found {
    Constant(u64),
    Operand(Value),
    Op(Op),
}

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let ranges = Ranges::new(function);
    let mut found = Vec::new();
    for (block, value) in function.placed() {
        if let Kind::Compute(op, operands) = function.kind(value)
            && let Some(decided) = decide(function, &ranges, block, value, *op, operands)
        {
            found.push((value, decided));
        }
    }
    let changed = !found.is_empty();
    let mut forward = Forward::new(function);
    for (value, decided) in found {
        match (decided, function.kind(value)) {
            (Found::Constant(bits), _) => {
                function.values[value.index()].kind = Kind::Constant(bits);
            }
            (Found::Operand(operand), _) => forward.replace(value, operand),
            (Found::Op(op), &Kind::Compute(_, operands)) => {
                function.values[value.index()].kind = Kind::Compute(op, operands);
            }
            _ => {}
        }
    }
    forward.apply(function);
    changed
}

fn decide(
    function: &Function,
    ranges: &Ranges,
    block: Block,
    value: Value,
    op: Op,
    operands: &Operands,
) -> Option<Found> {
    use Op::*;
    // Ranges of leaves alone decide nothing more: folding has done that.
    let at = |index: usize| operands.get(index).map(|&operand| ranges.at(operand, block));
    let ty = function.ty(value);
    let result = match ty {
        Type::Pred => {
            return comparison(op, at(0)?, at(1)?).map(|truth| Found::Constant(truth.into()));
        }
        Type::B128 => return None,
        _ => ranges.at(value, block),
    };
    if op.row().effect == Effect::Compute
        && let Some(number) = result.only()
    {
        return Some(Found::Constant(number as u64 & ty.mask()));
    }
    let narrow = |least: i64, most: i64| {
        let fits = at(0).is_some_and(|range| least <= range.low && range.high <= most);
        fits.then_some(Found::Operand(operands[0]))
    };
    match op {
        DivS32 | DivS64 | RemS32 | RemS64 => {
            let (a, b) = (at(0)?, at(1)?);
            let plain = a.is_not_negative() || Planted::SignForgotten.is_on();
            let unsigned = match op {
                DivS32 => DivU32,
                DivS64 => DivU64,
                RemS32 => RemU32,
                _ => RemU64,
            };
            (plain && b.is_not_negative()).then_some(Found::Op(unsigned))
        }
        And | And64 => {
            let clears_nothing = |kept: usize, mask: usize| {
                let bits = function.constant(operands[mask])?;
                let cleared = !bits & ty.mask() & !at(kept)?.zeros;
                (cleared == 0).then_some(Found::Operand(operands[kept]))
            };
            clears_nothing(0, 1).or_else(|| clears_nothing(1, 0))
        }
        Sext8 => narrow(-0x80, 0x7f),
        Zext8 => narrow(0, 0xff),
        Sext16 => narrow(-0x8000, 0x7fff),
        Zext16 => narrow(0, 0xffff),
        MinS32 | MinS64 | MaxS32 | MaxS64 => {
            let (a, b) = (at(0)?, at(1)?);
            let first = matches!(op, MinS32 | MinS64);
            match (a.high <= b.low, b.high <= a.low) {
                (true, _) => Some(Found::Operand(operands[usize::from(!first)])),
                (_, true) => Some(Found::Operand(operands[usize::from(first)])),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The result of a comparison, if it is the same for all numbers of two ranges: it is if it is the
/// same for all pairs of their ends, and, for equality, if they do not meet.
fn comparison(op: Op, a: Range, b: Range) -> Option<bool> {
    use Op::*;
    let unsigned = matches!(
        op,
        SetLessU32
            | SetLessEqualU32
            | SetGreaterU32
            | SetGreaterEqualU32
            | SetLessU64
            | SetLessEqualU64
            | SetGreaterU64
            | SetGreaterEqualU64
    );
    let signed = matches!(
        op,
        SetLessS32
            | SetLessEqualS32
            | SetGreaterS32
            | SetGreaterEqualS32
            | SetLessS64
            | SetLessEqualS64
            | SetGreaterS64
            | SetGreaterEqualS64
    );
    let equality = matches!(op, SetEqualI32 | SetNotEqualI32 | SetEqualI64 | SetNotEqualI64);
    let meet = a.low <= b.high && b.low <= a.high;
    let plain = a.is_not_negative() && b.is_not_negative();
    if !(signed || unsigned && plain || equality && !meet) {
        return None;
    }
    let says = |x: i64, y: i64| {
        let wide = crate::ir::source_type(op, 0) == Some(Type::B64);
        let bits = |number: i64| if wide { number as u64 } else { u64::from(number as u32) };
        Some(evaluate_lane(op, [bits(x), bits(y), 0])? != 0)
    };
    let first = says(a.low, b.low)?;
    let all = [(a.low, b.high), (a.high, b.low), (a.high, b.high)];
    all.into_iter().all(|(x, y)| says(x, y) == Some(first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use crate::pass::tests::after;

    #[test]
    fn signs_of_thread_numbers_are_known() {
        let text = "  %0 = special tid.x\n  %1 = const.b32 8\n  %2 = div.s32 %0, %1\n  \
                    %3 = rem.s32 %0, %1\n  %4 = const.b32 65535\n  %5 = and.b32 %0, %4\n  \
                    st.global.b32 %2, %3\n  st.global.b32 %3, %5\n  return";
        let found = after("value-range", text);
        assert!(found.contains("%2 = div.u32 %0, %1"), "{found}");
        assert!(found.contains("%3 = rem.u32 %0, %1"), "{found}");
        assert!(found.contains("st.global.b32 %3, %0"), "{found}");
    }

    #[test]
    fn what_a_branch_says_decides_a_comparison_below_it() {
        let text = "  %0 = param.b32 0\n  %1 = const.b32 7\n  %2 = setp.gt.s32 %0, %1\n  \
                    branch %2, b1, b2\nb1:\n  %3 = const.b32 0\n  %4 = setp.lt.s32 %0, %3\n  \
                    %5 = sel.b32 %4, %0, %1\n  st.global.b32 %0, %5\n  jump b2\nb2:\n  return";
        let found = after("value-range", text);
        assert!(found.contains("%4 = const.pred false"), "{found}");
    }
}
