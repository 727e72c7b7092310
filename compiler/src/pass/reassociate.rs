//! Reassociation of addresses (Briggs and Cooper, "Effective Partial Redundancy Elimination", 1994,
//! 3.1; Muchnick, 1997, 12.3.1): constants in the sums, shifts and products that make up an address
//! move to its end, where they become part of the access. `a[i + 1]` and `a[i + 2]`, typical of
//! unrolled loops, then share one address. The position of an array in shared or constant memory is
//! such a constant too. In other sums a constant moves out of a product if that leaves two products
//! by constants in a row, which are one: `(x * 3 + 1) * 3 + 2` is `x * 9 + 5`.
//!
//! All operations are modulo 2³², where this is exact.

use crate::ir::{Block, Function, Kind, Operands, Type, Value};
use reconverge_isa::planted::Planted;
use reconverge_isa::{Op, Space};

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let marked = addresses(function);
    let uses = function.use_counts();
    let mut changed = false;
    for block in function.reverse_postorder() {
        changed |= rewrite(function, &marked, &uses, block);
    }
    changed
}

/// For each value whether an address is made of it by sums, and by shifts and products by
/// constants.
fn addresses(function: &Function) -> Vec<bool> {
    let mut marked = vec![false; function.values.len()];
    let mut pending: Vec<Value> = Vec::new();
    for (_, value) in function.placed() {
        pending.extend(function.kind(value).address());
    }
    while let Some(value) = pending.pop() {
        if std::mem::replace(&mut marked[value.index()], true) {
            continue;
        }
        match *function.kind(value) {
            Kind::Compute(Op::Add, operands) => pending.extend(operands.iter()),
            Kind::Compute(Op::Shl | Op::Mul, operands)
                if function.constant(operands[1]).is_some() =>
            {
                pending.push(operands[0]);
            }
            _ => {}
        }
    }
    marked
}

/// Rewrites the marked instructions of a block; operands have been rewritten before.
fn rewrite(function: &mut Function, marked: &[bool], uses: &[u32], block: Block) -> bool {
    let instructions = std::mem::take(&mut function.blocks[block.index()].instructions);
    let mut placed = Vec::with_capacity(instructions.len());
    let mut changed = false;
    for value in instructions {
        if marked[value.index()] {
            start_at_window(function, value, &mut placed);
        }
        if marked[value.index()]
            && let Some((op, inner, bits)) = outward(function, value)
        {
            let location = function.instruction(value).location;
            let word = Some(Type::B32);
            let inner = function.add(Kind::Compute(op, inner), word, location);
            let constant = function.add(Kind::Constant(bits as u64), word, location);
            placed.extend([inner, constant]);
            let sum = Kind::Compute(Op::Add, Operands::new(&[inner, constant]));
            function.values[value.index()].kind = sum;
            changed = true;
        }
        if !marked[value.index()]
            && let Some((outer, (op, inner), bits)) = out_of_product(function, uses, value)
        {
            let location = function.instruction(value).location;
            let word = Some(Type::B32);
            let inner = function.add(Kind::Compute(op, inner), word, location);
            let constant = function.add(Kind::Constant(bits.into()), word, location);
            placed.extend([inner, constant]);
            function.values[value.index()].kind =
                Kind::Compute(outer, Operands::new(&[inner, constant]));
            changed = true;
        }
        placed.push(value);
    }
    function.blocks[block.index()].instructions = placed;
    changed
}

/// Splits the address of an array that something is added to into the window's start and a constant.
fn start_at_window(function: &mut Function, sum: Value, placed: &mut Vec<Value>) {
    let Kind::Compute(Op::Add, mut operands) = *function.kind(sum) else {
        return;
    };
    let at = |operand: Value| match *function.kind(operand) {
        Kind::Address(space @ (Space::Shared | Space::Constant), offset @ 1..) => {
            Some((space, offset))
        }
        _ => None,
    };
    let Some((index, (space, offset))) =
        (0..2).find_map(|index| Some((index, at(operands[index])?)))
    else {
        return;
    };
    if function.constant(operands[1 - index]).is_some() {
        return;
    }
    let location = function.instruction(sum).location;
    let mut add = |kind: Kind| {
        let value = function.add(kind, Some(Type::B32), location);
        placed.push(value);
        value
    };
    let (start, offset) = (add(Kind::Address(space, 0)), add(Kind::Constant(offset.into())));
    operands[index] = add(Kind::Compute(Op::Add, Operands::new(&[start, offset])));
    function.values[sum.index()].kind = Kind::Compute(Op::Add, operands);
}

/// An operation whose operands end in constants as one without them, and the constant that is to
/// be added to it.
fn outward(function: &Function, value: Value) -> Option<(Op, Operands, u32)> {
    let &Kind::Compute(op, operands) = function.kind(value) else {
        return None;
    };
    let (x, more) = split(function, operands[0]);
    match op {
        Op::Add if function.constant(operands[1]).is_none() => {
            let (y, and_more) = split(function, operands[1]);
            let bits = more.wrapping_add(and_more);
            (bits != 0).then_some((op, Operands::new(&[x, y]), bits))
        }
        Op::Shl => {
            let count = function.constant(operands[1]).filter(|&count| count < 32)?;
            let bits = if Planted::ConstantNotShifted.is_on() { more } else { more << count };
            (more != 0).then_some((op, Operands::new(&[x, operands[1]]), bits))
        }
        Op::Mul => {
            let factor = function.constant(operands[1])? as u32;
            let bits = more.wrapping_mul(factor);
            (more != 0).then_some((op, Operands::new(&[x, operands[1]]), bits))
        }
        _ => None,
    }
}

/// A value without the constant that it ends in.
fn split(function: &Function, value: Value) -> (Value, u32) {
    match *function.kind(value) {
        Kind::Compute(Op::Add, operands) => match function.constant(operands[1]) {
            Some(bits) => (operands[0], bits as u32),
            None => (value, 0),
        },
        _ => (value, 0),
    }
}

/// A product by a constant of a sum with a constant of a product by a constant, if nothing else
/// reads the inner values: the operation that is outermost then, its operand, and its constant. A
/// shift to the left is a product, and distributes over bitwise operations as well.
fn out_of_product(
    function: &Function,
    uses: &[u32],
    value: Value,
) -> Option<(Op, (Op, Operands), u32)> {
    // A value added here has one reader.
    let is_inner = |value: Value| uses.get(value.index()).is_none_or(|&uses| uses == 1);
    let with_constant = |value: Value| match *function.kind(value) {
        Kind::Compute(op, operands) => {
            Some((op, operands, function.constant(*operands.get(1)?)? as u32))
        }
        _ => None,
    };
    let (product, factors, factor) = with_constant(value)?;
    let scaled = |bits: u32| match product {
        Op::Mul => Some(bits.wrapping_mul(factor)),
        Op::Shl if factor < 32 => Some(bits << factor),
        _ => None,
    };
    scaled(0)?;
    let (outer, ..) = with_constant(factors[0])?;
    let distributes = match outer {
        Op::Add => true,
        Op::Xor | Op::Or => product == Op::Shl,
        _ => false,
    };
    let (mut at, mut bits) = (factors[0], 0u32);
    while let Some((op, operands, more)) = with_constant(at).filter(|&(op, ..)| op == outer) {
        if !is_inner(at) {
            return None;
        }
        bits = match op {
            Op::Add => bits.wrapping_add(more),
            Op::Xor => bits ^ more,
            _ => bits | more,
        };
        at = operands[0];
    }
    let (innermost, ..) = with_constant(at)?;
    let merges = matches!(innermost, Op::Mul | Op::Shl) && is_inner(at);
    (distributes && merges)
        .then(|| Some((outer, (product, Operands::new(&[at, factors[1]])), scaled(bits)?)))?
}

#[cfg(test)]
mod tests {
    use crate::pass::tests::after;

    #[test]
    fn a_constant_in_an_index_moves_after_the_base() {
        let text = "  %0 = special tid.x\n  %1 = param.global 0\n  %2 = const.b32 2\n  \
                    %3 = const.b32 5\n  %4 = add.i32 %0, %3\n  %5 = shl.b32 %4, %2\n  \
                    %6 = add.i32 %1, %5\n  st.global.b32 %6, %4\n  return";
        assert_eq!(
            after("reassociate", text),
            "  %0 = special tid.x\n  %1 = param.global 0\n  %2 = const.b32 2\n  \
             %3 = const.b32 5\n  %4 = add.i32 %0, %3\n  %9 = shl.b32 %0, %2\n  \
             %10 = const.b32 20\n  %5 = add.i32 %9, %10\n  %11 = add.i32 %1, %9\n  \
             %12 = const.b32 20\n  %6 = add.i32 %11, %12\n  st.global.b32 %6, %4\n  return\n"
        );
    }

    #[test]
    fn products_by_constants_meet() {
        let text = "  %0 = param.b32 0\n  %1 = const.b32 3\n  %2 = mul.i32 %0, %1\n  \
                    %3 = const.b32 1\n  %4 = add.i32 %2, %3\n  %5 = mul.i32 %4, %1\n  \
                    st.global.b32 %0, %5\n  return";
        assert_eq!(
            after("reassociate", text),
            "  %0 = param.b32 0\n  %1 = const.b32 3\n  %2 = mul.i32 %0, %1\n  \
             %3 = const.b32 1\n  %4 = add.i32 %2, %3\n  %8 = mul.i32 %2, %1\n  \
             %9 = const.b32 3\n  %5 = add.i32 %8, %9\n  st.global.b32 %0, %5\n  return\n"
        );
    }

    #[test]
    fn what_is_no_address_stays() {
        let text = "  %0 = special tid.x\n  %1 = const.b32 2\n  %2 = add.i32 %0, %1\n  \
                    %3 = shl.b32 %2, %1\n  st.global.b32 %0, %3\n  return";
        assert_eq!(after("reassociate", text), format!("{text}\n"));
    }
}
