//! Copy propagation: a move is its operand, and a phi whose operands are all one value (or the
//! phi itself) is that value.

use super::forward::Forward;
use crate::ir::{Function, Kind, Value};
use reconverge_isa::Op;

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let mut forward = Forward::new(function);
    let users = phi_users(function);
    let mut pending: Vec<Value> = function.placed().map(|(_, value)| value).collect();
    pending.reverse();
    let mut replaced = vec![false; function.values.len()];
    while let Some(value) = pending.pop() {
        if replaced[value.index()] {
            continue;
        }
        let Some(source) = copied(function, &mut forward, value) else {
            continue;
        };
        replaced[value.index()] = true;
        forward.replace(value, source);
        // Phis that read the copy may have become copies of the source.
        pending.extend(&users[value.index()]);
    }
    forward.apply(function)
}

fn copied(function: &Function, forward: &mut Forward, value: Value) -> Option<Value> {
    match function.kind(value) {
        Kind::Compute(Op::Mov | Op::Mov64 | Op::MovPred, operands) => {
            Some(forward.get(operands[0]))
        }
        Kind::Phi(incoming) => {
            let mut only = None;
            for &(_, operand) in incoming {
                let operand = forward.get(operand);
                if operand == value || only == Some(operand) {
                    continue;
                }
                if only.is_some() {
                    return None;
                }
                only = Some(operand);
            }
            only
        }
        _ => None,
    }
}

/// For each value the phis that read it.
fn phi_users(function: &Function) -> Vec<Vec<Value>> {
    let mut users = vec![Vec::new(); function.values.len()];
    for (_, value) in function.placed() {
        if let Kind::Phi(incoming) = function.kind(value) {
            for &(_, operand) in incoming {
                users[operand.index()].push(value);
            }
        }
    }
    users
}
