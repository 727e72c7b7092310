//! Dead code: instructions that neither act nor feed one that acts are removed. Loads that are not
//! volatile and divisions count as not acting (language.md: a trap that is not needed is not kept).

use crate::ir::{Function, Kind, Value};
use reconverge_isa::planted::Planted;

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let mut live = vec![false; function.values.len()];
    let mut pending: Vec<Value> = Vec::new();
    for (_, value) in function.placed() {
        let kind = function.kind(value);
        let planted = Planted::AtomicIsDead.is_on() && matches!(kind, Kind::Atomic(..));
        if !function.is_removable(value) && !planted {
            live[value.index()] = true;
            pending.push(value);
        }
    }
    while let Some(value) = pending.pop() {
        function.kind(value).each_operand(|operand| {
            if !std::mem::replace(&mut live[operand.index()], true) {
                pending.push(operand);
            }
        });
    }
    let mut changed = false;
    function.remove_where(|value| {
        changed |= !live[value.index()];
        !live[value.index()]
    });
    changed
}
