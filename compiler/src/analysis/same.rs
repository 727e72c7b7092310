//! Phis that always have one value: all their operands are that value, or phis that name nothing but
//! each other and that value (the redundant sets of phis of Braun and others, "Simple and Efficient
//! Construction of Static Single Assignment Form", 2013, §3.2). Passes leave such pairs in irreducible
//! graphs.
//!
//! All phis start as unknown and agree with everything, so that a set of phis does not spoil itself.

use super::sparse;
use crate::ir::{Block, Function, Kind, Type, Value};
use rustc_hash::FxHashMap;

/// By value: the value that it always equals, mostly itself. Constants of the same bits are one
/// value.
///
/// `stays(value, block)` is true if all loops in whose iterations `value` can differ are around
/// `block`. A phi elsewhere is not the same: it may hold the value of another iteration than the
/// one that another thread supplies.
pub(super) fn same_values(
    function: &Function,
    is_reachable: impl Fn(Block) -> bool,
    stays: impl Fn(Value, Block) -> bool,
) -> Vec<Value> {
    let mut constants: FxHashMap<(Option<Type>, u64), Value> = FxHashMap::default();
    let mut home = vec![None; function.values.len()];
    for (block, value) in function.placed() {
        home[value.index()] = Some(block);
        if let Some(bits) = function.constant(value) {
            constants.entry((function.instruction(value).ty, bits)).or_insert(value);
        }
    }
    let found = sparse::solve(function, None, |found: &[Option<Value>], value| {
        let itself = Some(value);
        match function.kind(value) {
            Kind::Constant(bits) => {
                constants.get(&(function.instruction(value).ty, *bits)).copied().or(itself)
            }
            Kind::Phi(incoming) => {
                let known = incoming.iter().filter(|&&(from, _)| is_reachable(from));
                let mut known = known.filter_map(|&(_, operand)| found[operand.index()]);
                let first = known.next()?;
                let block = home[value.index()]?;
                let one = known.all(|other| other == first) && stays(first, block);
                let before = found[value.index()];
                // A value that once differed does not change again, so that the iteration ends.
                if one && before.is_none_or(|before| before == first) {
                    Some(first)
                } else {
                    itself
                }
            }
            _ => itself,
        }
    });
    let itself = |at: usize| Value(at as u32);
    found.iter().enumerate().map(|(at, found)| found.unwrap_or(itself(at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    fn same(text: &str, stays: bool) -> Vec<u32> {
        let function = parse(text).unwrap().functions.remove(0);
        let found = same_values(&function, |_| true, |_, _| stays);
        let has_result = |at: &usize| function.values[*at].ty.is_some();
        (0..found.len()).filter(has_result).map(|at| found[at].0).collect()
    }

    const PAIR: &str = "kernel k {\nb0:\n %0 = special tid.x\n %1 = const.pred true\n \
        %2 = special ctaid.x\n branch %1, b1, b2\n\
        b1:\n %3 = phi.b32 b0 %0, b2 %4\n branch %1, b2, b3\n\
        b2:\n %4 = phi.b32 b0 OTHER, b1 %3\n branch %1, b1, b3\n\
        b3:\n %5 = phi.b32 b1 %3, b2 %4\n return\n}";

    #[test]
    fn phis_that_name_each_other_and_one_value_are_that_value() {
        assert_eq!(same(&PAIR.replace("OTHER", "%0"), true), [0, 1, 2, 0, 0, 0]);
    }

    #[test]
    fn with_two_values_they_are_themselves() {
        assert_eq!(same(&PAIR.replace("OTHER", "%2"), true), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn behind_a_loop_a_phi_holds_what_was() {
        assert_eq!(same(&PAIR.replace("OTHER", "%0"), false), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn equal_constants_are_one_value() {
        let text = "kernel k {\nb0:\n %0 = const.b32 7\n %1 = const.pred true\n %2 = const.b32 7\n \
                    branch %1, b1, b2\nb1:\n jump b2\nb2:\n %3 = phi.b32 b0 %0, b1 %2\n return\n}";
        assert_eq!(same(text, true), [0, 1, 0, 0]);
    }
}
