//! Facts that flow along computations: one for each value, from those of its operands.

use crate::ir::{Function, Kind, Value};
use std::collections::VecDeque;

/// Solves for one fact a value. All start as `start`; `fact` gives a value's fact from those known
/// so far, and must only ever go down, so that the iteration ends. Facts flow through phis and
/// computing operations; other values are evaluated once.
pub fn solve<T: Copy + PartialEq>(
    function: &Function,
    start: T,
    fact: impl Fn(&[T], Value) -> T,
) -> Vec<T> {
    let mut facts = vec![start; function.values.len()];
    let mut users = vec![Vec::new(); function.values.len()];
    let mut queued = vec![false; function.values.len()];
    // First in, first out: a phi of many operands is evaluated again when all have had their turn,
    // not after each.
    let mut queue = VecDeque::new();
    for &block in &function.reverse_postorder() {
        for &value in function.instructions(block) {
            queue.push_back(value);
            queued[value.index()] = true;
            if matches!(function.kind(value), Kind::Phi(_) | Kind::Compute(..)) {
                function.kind(value).each_operand(|operand| users[operand.index()].push(value));
            }
        }
    }
    while let Some(value) = queue.pop_front() {
        queued[value.index()] = false;
        let found = fact(&facts, value);
        if found != facts[value.index()] {
            facts[value.index()] = found;
            for &user in &users[value.index()] {
                if !std::mem::replace(&mut queued[user.index()], true) {
                    queue.push_back(user);
                }
            }
        }
    }
    facts
}
