//! Strength reduction of products, quotients and remainders by powers of two. A product that is a
//! part of sums stays: the machine multiplies and adds at once.

use crate::ir::{Function, Instruction, Kind, Operands, Type, Value};
use reconverge_isa::Op;
use reconverge_isa::planted::Planted;

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let parts = parts_of_sums(function);
    let tested = only_tested(function);
    let mut changed = false;
    for block in 0..function.blocks.len() {
        let instructions = std::mem::take(&mut function.blocks[block].instructions);
        let mut kept = Vec::with_capacity(instructions.len());
        for value in instructions {
            let is_part = parts.get(value.index()).is_some_and(|&part| part);
            if !is_part
                && let Some(kind) = reduce(function, &mut kept, value, tested[value.index()])
            {
                function.values[value.index()].kind = kind;
                changed = true;
            }
            kept.push(value);
        }
        function.blocks[block].instructions = kept;
    }
    changed
}

/// For each value whether it is a product that only sums read: product and sum are one
/// instruction of the machine.
fn parts_of_sums(function: &Function) -> Vec<bool> {
    let mut others = vec![false; function.values.len()];
    let mut products = vec![false; function.values.len()];
    for (_, value) in function.placed() {
        match function.kind(value) {
            Kind::Compute(Op::Add | Op::Add64, _) => continue,
            Kind::Compute(Op::Mul | Op::Mul64, _) => products[value.index()] = true,
            _ => {}
        }
        function.kind(value).each_operand(|operand| others[operand.index()] = true);
    }
    products.iter().zip(&others).map(|(product, other)| *product && !other).collect()
}

/// For each value whether nothing but comparisons with zero for equality reads it: then the sign of a remainder
/// does not matter.
fn only_tested(function: &Function) -> Vec<bool> {
    use Op::{SetEqualI32, SetEqualI64, SetNotEqualI32, SetNotEqualI64};
    let mut tested = vec![true; function.values.len()];
    for (_, value) in function.placed() {
        let kind = function.kind(value);
        match kind {
            Kind::Compute(
                SetEqualI32 | SetNotEqualI32 | SetEqualI64 | SetNotEqualI64,
                operands,
            ) if function.constant(operands[1]) == Some(0) => {}
            _ => kind.each_operand(|operand| tested[operand.index()] = false),
        }
    }
    tested
}

/// The operations of one width.
struct Ops {
    ty: Type,
    bits: u32,
    shl: Op,
    shr_signed: Op,
    shr_unsigned: Op,
    add: Op,
    sub: Op,
    and: Op,
}

const WORD: Ops = Ops {
    ty: Type::B32,
    bits: 32,
    shl: Op::Shl,
    shr_signed: Op::ShrS32,
    shr_unsigned: Op::ShrU32,
    add: Op::Add,
    sub: Op::Sub,
    and: Op::And,
};
const PAIR: Ops = Ops {
    ty: Type::B64,
    bits: 64,
    shl: Op::Shl64,
    shr_signed: Op::ShrS64,
    shr_unsigned: Op::ShrU64,
    add: Op::Add64,
    sub: Op::Sub64,
    and: Op::And64,
};

/// Adds instructions at the place of another.
struct At<'a> {
    function: &'a mut Function,
    placed: &'a mut Vec<Value>,
    like: Value,
}

impl At<'_> {
    fn place(&mut self, kind: Kind, ty: Type) -> Value {
        let location = self.function.instruction(self.like).location;
        let value = self.function.add(kind, Some(ty), location);
        self.placed.push(value);
        value
    }

    fn compute(&mut self, ty: Type, op: Op, operands: &[Value]) -> Value {
        self.place(Kind::Compute(op, Operands::new(operands)), ty)
    }
}

fn reduce(
    function: &mut Function,
    placed: &mut Vec<Value>,
    value: Value,
    tested: bool,
) -> Option<Kind> {
    let &Instruction { kind: Kind::Compute(op, operands), ty, .. } = function.instruction(value)
    else {
        return None;
    };
    let ops = if ty? == Type::B64 { &PAIR } else { &WORD };
    let divisor = operands.get(1).and_then(|&operand| function.constant(operand))?;
    let is_signed = matches!(op, Op::DivS32 | Op::DivS64 | Op::RemS32 | Op::RemS64);
    let sign = 1 << (ops.bits - 1);
    let is_negative = is_signed && divisor & sign != 0;
    let divisor = if is_negative { divisor.wrapping_neg() & ops.ty.mask() } else { divisor };
    // The most negative number has no positive counterpart.
    if !divisor.is_power_of_two() || divisor == 1 || is_signed && divisor == sign {
        return None;
    }
    let count = divisor.trailing_zeros();
    let x = operands[0];
    let mut at = At { function, placed, like: value };
    let amount = |at: &mut At, count: u32| at.place(Kind::Constant(count as u64), Type::B32);
    let (op, second) = match op {
        Op::Mul | Op::Mul64 => (ops.shl, amount(&mut at, count)),
        Op::DivU32 | Op::DivU64 => (ops.shr_unsigned, amount(&mut at, count)),
        Op::RemU32 | Op::RemU64 => (ops.and, at.place(Kind::Constant(divisor - 1), ops.ty)),
        Op::RemS32 | Op::RemS64 if tested || Planted::RemainderIsMask.is_on() => {
            (ops.and, at.place(Kind::Constant(divisor - 1), ops.ty))
        }
        Op::DivS32 | Op::DivS64 => {
            let biased = bias(&mut at, ops, x, count);
            let count = amount(&mut at, count);
            if !is_negative {
                return Some(Kind::Compute(ops.shr_signed, Operands::new(&[biased, count])));
            }
            let quotient = at.compute(ops.ty, ops.shr_signed, &[biased, count]);
            let zero = at.place(Kind::Constant(0), ops.ty);
            return Some(Kind::Compute(ops.sub, Operands::new(&[zero, quotient])));
        }
        Op::RemS32 | Op::RemS64 => {
            // x - (x / d) * d: clearing the low bits of the biased dividend gives the product. The sign of d does not matter.
            let biased = bias(&mut at, ops, x, count);
            let mask = at.place(Kind::Constant(!(divisor - 1) & ops.ty.mask()), ops.ty);
            let multiple = at.compute(ops.ty, ops.and, &[biased, mask]);
            return Some(Kind::Compute(ops.sub, Operands::new(&[x, multiple])));
        }
        _ => return None,
    };
    Some(Kind::Compute(op, Operands::new(&[x, second])))
}

/// A dividend whose arithmetic shift by `count` rounds towards zero: negative ones get the
/// divisor less one added.
fn bias(at: &mut At, ops: &Ops, x: Value, count: u32) -> Value {
    if Planted::QuotientRoundsDown.is_on() {
        return x;
    }
    let sign_count = at.place(Kind::Constant(ops.bits as u64 - 1), Type::B32);
    let sign = at.compute(ops.ty, ops.shr_signed, &[x, sign_count]);
    let rest = at.place(Kind::Constant((ops.bits - count) as u64), Type::B32);
    let extra = at.compute(ops.ty, ops.shr_unsigned, &[sign, rest]);
    at.compute(ops.ty, ops.add, &[x, extra])
}

#[cfg(test)]
mod tests {
    use crate::pass::tests::after;

    #[test]
    fn a_product_becomes_a_shift_unless_it_is_part_of_a_sum() {
        let text = "  %0 = special tid.x\n  %1 = const.b32 4\n  %2 = mul.i32 %0, %1\n  \
                    %3 = mul.i32 %0, %1\n  %4 = add.i32 %3, %0\n  st.global.b32 %2, %4\n  return";
        let reduced = after("strength", text);
        assert!(reduced.contains("%2 = shl.b32 %0, "), "{reduced}");
        assert!(reduced.contains("%3 = mul.i32 %0, %1"), "{reduced}");
    }

    #[test]
    fn signed_quotients_by_powers_of_two_of_either_sign_are_shifts() {
        let reduced = |op: &str, ty: &str, divisor: &str| {
            let text = format!(
                "  %0 = param.{ty} 0\n  %1 = const.{ty} {divisor}\n  %2 = {op} %0, %1\n  \
                 %3 = const.b32 0\n  st.global.{ty} %3, %2\n  return"
            );
            let found = after("strength", &text);
            let divides = found.contains("div.") || found.contains("rem.");
            (!divides).then(|| found.contains("%2 = sub"))
        };
        assert_eq!(reduced("div.s32", "b32", "8"), Some(false));
        assert_eq!(reduced("div.s32", "b32", "-8"), Some(true));
        assert_eq!(reduced("div.s64", "b64", "0xfffffffffffffff8"), Some(true));
        assert_eq!(reduced("rem.s64", "b64", "0xfffffffffffffff8"), Some(true));
        assert_eq!(reduced("div.u32", "b32", "0x80000000"), Some(false));
        assert_eq!(reduced("div.u32", "b32", "-8"), None);
        assert_eq!(reduced("div.s32", "b32", "0x80000000"), None);
        assert_eq!(reduced("div.s32", "b32", "-1"), None);
    }
}
