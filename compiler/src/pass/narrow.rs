//! Computes values in 32 bits that only addresses of accesses need.
//!
//! PTX computes addresses in 64 bits, of which an access uses the low word ([`Op::Low`]). The pass
//! finds the values of 64 bits whose low word alone is read, by a sparse analysis of demand over
//! the graph of uses (as bit-tracking dead code elimination does, LLVM's `BDCE`), and computes only
//! these words. If an operation cannot be narrowed, its low word is taken. No read value changes.
//! The pass does nothing in functions in which no address is the low word of a value: those not
//! made from PTX.

use crate::ir::{Function, Kind, Operands, Type, Value};
use reconverge_isa::Op;

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let mut addresses = function.placed().filter_map(|(_, value)| function.kind(value).address());
    let found = addresses.any(|address| is_low(function, address));
    drop(addresses);
    if !found {
        return false;
    }
    let narrow = narrow_values(function);
    rewrite(function, &narrow);
    // Products by constants are shifts in 32 bits as well.
    super::strength::run(function);
    true
}

/// Returns true if an address is the low word of a value, perhaps with a constant added.
fn is_low(function: &Function, address: Value) -> bool {
    match function.kind(address) {
        Kind::Compute(Op::Low, _) => true,
        Kind::Compute(Op::Add, operands) if function.constant(operands[1]).is_some() => {
            matches!(function.kind(operands[0]), Kind::Compute(Op::Low, _))
        }
        _ => false,
    }
}

/// The operation that computes a 64-bit operation's low word from its operands' low words.
#[derive(Clone, Copy)]
enum Narrowed {
    /// This operation; the flags mark the operands that are 64 bits wide.
    By(Op, [bool; 3]),
    /// The operand, which is a word already.
    Operand,
}

fn narrowed(op: Op) -> Option<Narrowed> {
    use Narrowed::By;
    Some(match op {
        Op::Add64 => By(Op::Add, [true, true, false]),
        Op::Sub64 => By(Op::Sub, [true, true, false]),
        Op::Mul64 => By(Op::Mul, [true, true, false]),
        Op::Mad64 => By(Op::Mad, [true, true, true]),
        Op::And64 => By(Op::And, [true, true, false]),
        Op::Or64 => By(Op::Or, [true, true, false]),
        Op::Xor64 => By(Op::Xor, [true, true, false]),
        Op::Not64 => By(Op::Not, [true, false, false]),
        Op::Mov64 => By(Op::Mov, [true, false, false]),
        // By the word's width or more, both leave 0.
        Op::Shl64 => By(Op::Shl, [true, false, false]),
        Op::Select64 => By(Op::Select, [false, true, true]),
        Op::Sext32 | Op::Zext32 | Op::Pack => Narrowed::Operand,
        _ => return None,
    })
}

/// For each value whether it has 64 bits, can be computed in 32, and is read by nothing that needs more.
fn narrow_values(function: &Function) -> Vec<bool> {
    let can = |value: Value| {
        function.ty(value) == Type::B64
            && match function.kind(value) {
                Kind::Compute(op, _) => narrowed(*op).is_some(),
                Kind::Phi(_) | Kind::Parameter { .. } | Kind::Constant(_) => true,
                _ => false,
            }
    };
    let mut narrow: Vec<bool> =
        (0..function.values.len() as u32).map(|it| can(Value(it))).collect();
    // Constants and parameters are read as they are needed, so that none is kept wide by another use.
    let leaf = |value: Value| function.kind(value).is_leaf();
    let mut pending = Vec::new();
    let widen = |value: Value, narrow: &mut Vec<bool>, pending: &mut Vec<Value>| {
        if narrow[value.index()] && !leaf(value) {
            narrow[value.index()] = false;
            pending.push(value);
        }
    };
    for (_, value) in function.placed() {
        let low = matches!(function.kind(value), Kind::Compute(Op::Low, _));
        if !narrow[value.index()] && !low {
            let kind = function.kind(value);
            kind.each_operand(|operand| widen(operand, &mut narrow, &mut pending));
        }
    }
    while let Some(value) = pending.pop() {
        let kind = function.kind(value);
        kind.each_operand(|operand| widen(operand, &mut narrow, &mut pending));
    }
    narrow
}

/// Makes a low word of each narrow value, and of each other one that a narrow value reads, right after it.
fn rewrite(function: &mut Function, narrow: &[bool]) {
    let mut needed = narrow.to_vec();
    for (_, value) in function.placed() {
        if narrow[value.index()] {
            function.kind(value).each_operand(|operand| {
                needed[operand.index()] |= function.ty(operand) == Type::B64;
            });
        }
    }
    // All words are created before one is filled in: phis read those of later blocks.
    let mut words: Vec<Option<Value>> = vec![None; narrow.len()];
    for block in 0..function.blocks.len() {
        for at in 0..function.blocks[block].instructions.len() {
            let value = function.blocks[block].instructions[at];
            if needed[value.index()] {
                let location = function.instruction(value).location;
                let word = function.add(Kind::Removed, Some(Type::B32), location);
                let variable = function.instruction(value).variable.clone();
                function.values[word.index()].variable = variable;
                words[value.index()] = Some(word);
            }
        }
    }
    for block in 0..function.blocks.len() {
        let old = std::mem::take(&mut function.blocks[block].instructions);
        let mut new: Vec<Value> = Vec::with_capacity(old.len());
        for value in old {
            new.push(value);
            if let Some(word) = words[value.index()] {
                function.values[word.index()].kind = match narrow[value.index()] {
                    true => word_kind(function, value, &words),
                    false => Kind::Compute(Op::Low, Operands::new(&[value])),
                };
                new.push(word);
            }
        }
        let (phis, others): (Vec<Value>, Vec<Value>) =
            new.into_iter().partition(|&value| matches!(function.kind(value), Kind::Phi(_)));
        function.blocks[block].instructions = phis.into_iter().chain(others).collect();
    }
    replace_lows(function, &words);
    super::dead::run(function);
}

/// The operation that computes the word of a narrow value.
fn word_kind(function: &Function, value: Value, words: &[Option<Value>]) -> Kind {
    let word = |operand: Value| words[operand.index()].unwrap_or(operand);
    match function.kind(value) {
        Kind::Constant(bits) => Kind::Constant(bits & u64::from(u32::MAX)),
        Kind::Phi(incoming) => {
            Kind::Phi(incoming.iter().map(|&(from, operand)| (from, word(operand))).collect())
        }
        Kind::Compute(op, operands) => match narrowed(*op) {
            Some(Narrowed::By(op, wide)) => {
                let operands: Vec<Value> = operands
                    .iter()
                    .zip(wide)
                    .map(|(&operand, wide)| if wide { word(operand) } else { operand })
                    .collect();
                Kind::Compute(op, Operands::new(&operands))
            }
            _ => Kind::Compute(Op::Mov, Operands::new(&operands[..1])),
        },
        other => other.clone(),
    }
}

/// Replaces reads of the low word of a narrow value by its word.
fn replace_lows(function: &mut Function, words: &[Option<Value>]) {
    let mut forward: Vec<Value> = (0..function.values.len() as u32).map(Value).collect();
    for (_, value) in function.placed() {
        if let Kind::Compute(Op::Low, operands) = function.kind(value)
            && let Some(Some(word)) = words.get(operands[0].index())
            && *word != value
        {
            forward[value.index()] = *word;
        }
    }
    function.replace_operands(|value| forward[value.index()]);
}

#[cfg(test)]
mod tests {
    use crate::pass::tests::after;

    #[test]
    fn what_only_addresses_need_is_computed_in_32_bits() {
        let text = "  %0 = param.b64 0\n  %1 = special tid.x\n  %2 = cvt.s64.s32 %1\n  %3 = const.b64 4\n  \
                    %4 = mul.i64 %2, %3\n  %5 = add.i64 %0, %4\n  %6 = low.b64 %5\n  \
                    st.global.b32 %6, %1\n  return";
        let found = after("narrow", text);
        assert!(!found.contains("i64") && found.contains("mul.i32"), "{found}");
    }

    #[test]
    fn what_others_read_stays_wide() {
        let text = "  %0 = param.b64 0\n  %1 = special tid.x\n  %2 = cvt.s64.s32 %1\n  %5 = add.i64 %0, %2\n  \
                    %6 = low.b64 %5\n  st.global.b64 %6, %5\n  return";
        let found = after("narrow", text);
        assert!(found.contains("add.i64"), "{found}");
    }

    #[test]
    fn a_product_that_is_no_part_of_a_sum_is_a_shift() {
        let text = "  %0 = param.b64 0\n  %1 = special tid.x\n  %2 = cvt.s64.s32 %1\n  %3 = const.b64 4\n  \
                    %4 = mul.i64 %2, %3\n  %5 = add.i64 %0, %4\n  %6 = low.b64 %5\n  %7 = low.b64 %4\n  \
                    st.global.b32 %6, %7\n  return";
        let found = after("narrow", text);
        assert!(!found.contains("mul") && found.contains("shl.b32"), "{found}");
    }

    #[test]
    fn functions_without_low_words_as_addresses_are_left_alone() {
        let text = "  %0 = param.b64 0\n  %1 = special tid.x\n  %2 = cvt.s64.s32 %1\n  %5 = add.i64 %0, %2\n  \
                    %6 = low.b64 %5\n  st.global.b32 %1, %6\n  return";
        assert_eq!(after("narrow", text), format!("{text}\n"));
    }
}
