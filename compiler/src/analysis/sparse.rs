//! Facts that flow along computations: one for each value, from those of its operands.

use crate::ir::{Function, Kind, Value};

/// Solves for one fact a value. All start as `start`; `fact` gives a value's fact from those known so
/// far, and must only ever go down, so that there is an end. Facts flow through phis and computing
/// operations; other values are looked at once.
pub fn solve<T: Copy + PartialEq>(
    function: &Function,
    start: T,
    fact: impl Fn(&[T], Value) -> T,
) -> Vec<T> {
    let mut facts = vec![start; function.values.len()];
    let mut users = vec![Vec::new(); function.values.len()];
    let mut pending = Vec::new();
    for (_, value) in function.placed() {
        pending.push(value);
        if matches!(function.kind(value), Kind::Phi(_) | Kind::Compute(..)) {
            function.kind(value).each_operand(|operand| users[operand.index()].push(value));
        }
    }
    pending.reverse();
    while let Some(value) = pending.pop() {
        let found = fact(&facts, value);
        if found != facts[value.index()] {
            facts[value.index()] = found;
            pending.extend(&users[value.index()]);
        }
    }
    facts
}
