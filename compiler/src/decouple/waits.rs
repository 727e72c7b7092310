//! Where a thread may wait for what another one does to memory.
//!
//! A warp that waits takes nothing from its queues. They fill up, and then the tuple queue, which all
//! warps of the core share; whoever comes later to something that is in it gets nothing, and may be whom
//! the first one waits for. Of that the paper says nothing.

use crate::analysis::Flow;
use crate::analysis::cycles::CycleId;
use crate::ir::{Function, Kind, Value};
use reconverge_isa::{Op, Space};
use std::collections::BTreeSet;

/// What a thread finds in memory before it leaves a cycle, if it may wait there for another one to change it: a
/// volatile load or an atomic that an exit depends on, or another load on which alone an exit depends,
/// and on nothing that goes on from turn to turn. An atomic that compares with what was found a turn
/// before waits for nobody: when it fails, another thread has gone on.
pub fn waits(flow: &Flow) -> Option<Value> {
    (0..flow.cycles.all.len()).find_map(|cycle| leaves_by_memory(flow, CycleId(cycle as u32)))
}

fn leaves_by_memory(flow: &Flow, cycle: CycleId) -> Option<Value> {
    let function = flow.function;
    let (mut all, mut exits) = (Vec::new(), Vec::new());
    for &block in flow.cycles.blocks(cycle) {
        let terminator = function.terminator(block).map(|value| function.kind(value));
        if let Some(&Kind::Branch(condition, one, other)) = terminator {
            all.push(condition);
            if [one, other].iter().any(|&to| !flow.cycles.contains(cycle, to)) {
                exits.push(condition);
            }
        }
    }
    let is_inside =
        |value: Value| flow.home(value).is_some_and(|block| flow.cycles.contains(cycle, block));
    let is_phi = |value: &Value| matches!(function.kind(*value), Kind::Phi(_));
    let alone = exits.iter().find_map(|&exit| {
        let decides = slice(flow, is_inside, vec![exit]);
        let load = decides.iter().find(|&&value| loads_what_may_change(function, value));
        load.filter(|_| !decides.iter().any(is_phi)).copied()
    });
    let mut decides = slice(flow, is_inside, exits);
    if decides.iter().any(is_phi) {
        // Which of its values a phi has is for branches to say.
        decides.append(&mut slice(flow, is_inside, all));
    }
    let orders = |value: &Value| match *function.kind(*value) {
        Kind::Load(access, _) => access.volatile,
        Kind::Atomic(Op::AtomCas | Op::AtomCas16 | Op::AtomCas64, _, operands) => {
            !is_inside(operands[2])
        }
        Kind::Atomic(..) => true,
        _ => false,
    };
    decides.into_iter().find(orders).or(alone)
}

/// Whether a value is loaded from where other threads store.
fn loads_what_may_change(function: &Function, value: Value) -> bool {
    let shared = [Space::Generic, Space::Global, Space::Shared];
    matches!(*function.kind(value), Kind::Load(access, _) if shared.contains(&access.space))
}

/// The values inside of a cycle that some of its values depend on, themselves included.
fn slice(
    flow: &Flow,
    is_inside: impl Fn(Value) -> bool,
    mut pending: Vec<Value>,
) -> BTreeSet<Value> {
    let mut found = BTreeSet::new();
    while let Some(value) = pending.pop() {
        if is_inside(value) && found.insert(value) {
            flow.function.kind(value).each_operand(|operand| pending.push(operand));
        }
    }
    found
}
