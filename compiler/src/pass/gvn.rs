//! Global value numbering over the dominator tree (Briggs, Cooper and Simpson, "Value Numbering",
//! 1997, the dominator-based technique). An instruction equal to one above it in the tree is
//! replaced by it. A load is replaced by the value that was loaded from or stored to the same
//! address.
//!
//! A load is known by its address and by the [version](super::memory_ssa) of the memory that it reads.

use super::forward::Forward;
use super::memory_ssa::{self, Load, MemorySsa, Versions};
use crate::analysis::DominatorTree;
use crate::ir::{Block, Function, Guarded, Kind, Type, Value};
use reconverge_isa::planted::Planted;
use rustc_hash::FxHashMap;

/// The key under which two instructions are the same. Phis are the same only in one block.
pub(super) type Key = (Kind, Option<Type>, Option<Block>);

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let dominators = DominatorTree::dominators(function);
    let memory = MemorySsa::new(function, &dominators);
    let in_parts = function.loaded_in_parts();
    let mut forward = Forward::new(function);
    let mut known: FxHashMap<(Key, Versions), Value> = FxHashMap::default();
    // Entering a block pushes a mark to leave it, which takes back the block's additions.
    enum Step {
        Enter(Block),
        Leave(usize),
    }
    let mut added: Vec<(Key, Versions)> = Vec::new();
    let mut steps = vec![Step::Enter(Block::ENTRY)];
    while let Some(step) = steps.pop() {
        let block = match step {
            Step::Leave(mark) => {
                for key in added.drain(mark..) {
                    known.remove(&key);
                }
                continue;
            }
            Step::Enter(block) => block,
        };
        steps.push(Step::Leave(added.len()));
        steps.extend(dominators.children(block).iter().rev().map(|&at| Step::Enter(at)));
        let mut versions = memory.start(block);
        for &value in function.instructions(block) {
            let made = made(function, &mut forward, &memory, &mut versions, block, value);
            let Some((key, result)) = made.filter(|_| !in_parts[value.index()]) else {
                continue;
            };
            match known.get(&key) {
                Some(&same) if result == value => forward.replace(value, same),
                Some(_) => {}
                None => {
                    added.push(key.clone());
                    known.insert(key, result);
                }
            }
        }
    }
    forward.apply(function)
}

/// The expression that an instruction makes known, and its value.
fn made(
    function: &Function,
    forward: &mut Forward,
    memory: &MemorySsa,
    versions: &mut Versions,
    block: Block,
    value: Value,
) -> Option<((Key, Versions), Value)> {
    let kind = function.kind(value);
    if !(Planted::StoreForgotten.is_on() && matches!(kind, Kind::Store(..))) {
        memory_ssa::pass(kind, value, versions);
    }
    match kind {
        Kind::Load(..) | Kind::Store(..) => {
            let (load, versions, known) = memory.known(function, forward, versions, value)?;
            let ty = Some(Type::of_width(load.access.width));
            Some((((Kind::Load(load.access, load.address), ty, None), versions), known))
        }
        Kind::Guarded(guarded) => {
            let Kind::Load(access, address) = guarded.access else {
                return None;
            };
            if access.volatile {
                return None;
            }
            let load = Load::new(access, forward.get(address));
            let versions = memory.seen(function, forward, load, versions);
            let mut same =
                Guarded { access: Kind::Load(load.access, load.address), ..(**guarded).clone() };
            same.holds = forward.get(same.holds);
            same.otherwise = same.otherwise.map(|value| forward.get(value));
            let ty = Some(Type::of_width(access.width));
            Some((((Kind::Guarded(Box::new(same)), ty, None), versions), value))
        }
        _ => Some(((key(function, forward, block, value)?, Versions::default()), value)),
    }
}

/// The expression of a pure instruction.
pub(super) fn key(
    function: &Function,
    forward: &mut Forward,
    block: Block,
    value: Value,
) -> Option<Key> {
    let instruction = function.instruction(value);
    if !instruction.kind.is_pure() {
        return None;
    }
    let mut kind = instruction.kind.clone();
    kind.map_operands(|operand| forward.get(operand));
    let home = match &mut kind {
        Kind::Phi(incoming) => {
            incoming.sort();
            Some(block)
        }
        Kind::Compute(op, operands) if super::fold::commutes(*op) => {
            operands[..2].sort();
            None
        }
        // They stay beside the access or the product that they belong to.
        Kind::Part(..) | Kind::Join(_) => Some(block),
        _ => None,
    };
    Some((kind, instruction.ty, home))
}

#[cfg(test)]
mod tests {
    use crate::pass::tests::after;

    #[test]
    fn a_dominating_computation_is_used_again() {
        let text = "  %0 = special tid.x\n  %1 = const.pred true\n  %2 = add.i32 %0, %0\n  \
                    branch %1, b1, b2\nb1:\n  %3 = add.i32 %0, %0\n  st.global.b32 %0, %3\n  \
                    jump b2\nb2:\n  return";
        assert_eq!(
            after("gvn", text),
            "  %0 = special tid.x\n  %1 = const.pred true\n  %2 = add.i32 %0, %0\n  \
             branch %1, b1, b2\nb1:\n  st.global.b32 %0, %2\n  jump b2\nb2:\n  return\n"
        );
    }

    #[test]
    fn a_store_to_another_window_keeps_a_load_a_barrier_does_not() {
        let text = "  %0 = special tid.x\n  %1 = ld.global.b32 %0\n  st.local.b32 %0, %1\n  \
                    %2 = ld.global.b32 %0\n  %3 = ld.local.b32 %0\n  bar.sync\n  \
                    %4 = ld.global.b32 %0\n  %5 = ld.local.b32 %0\n  st.shared.b32 %2, %3\n  \
                    st.shared.b32 %4, %5\n  return";
        assert_eq!(
            after("gvn", text),
            "  %0 = special tid.x\n  %1 = ld.global.b32 %0\n  st.local.b32 %0, %1\n  bar.sync\n  \
             %4 = ld.global.b32 %0\n  st.shared.b32 %1, %1\n  st.shared.b32 %4, %1\n  return\n"
        );
    }

    #[test]
    fn a_loop_that_writes_separates_loads() {
        let text = "  %0 = special tid.x\n  %1 = const.pred true\n  %2 = ld.global.b32 %0\n  \
                    jump b1\nb1:\n  %3 = ld.global.b32 %0\n  st.global.b32 %3, %2\n  \
                    branch %1, b1, b2\nb2:\n  return";
        assert!(after("gvn", text).contains("%3 = ld"));
    }

    #[test]
    fn a_loop_that_only_reads_does_not() {
        let text = "  %0 = special tid.x\n  %1 = const.pred true\n  %2 = ld.global.b32 %0\n  \
                    jump b1\nb1:\n  %3 = ld.global.b32 %0\n  st.shared.b32 %3, %2\n  \
                    branch %1, b1, b2\nb2:\n  return";
        assert!(!after("gvn", text).contains("%3 = ld"));
    }

    #[test]
    fn a_store_beside_a_load_keeps_it() {
        let load_again = |store: &str| {
            let text = format!(
                "  %0 = special tid.x\n  %1 = const.b32 4\n  %2 = add.i32 %0, %1\n  \
                 %3 = ld.global.b32 %2\n  {store}\n  %4 = ld.global.b32 %2\n  \
                 st.shared.b32 %3, %4\n  return"
            );
            after("gvn", &text).contains("%4 = ld")
        };
        assert!(!load_again("st.global.b32 %0, %3"));
        // Its last bytes are the first that are loaded; it is relative to something else.
        assert!(load_again("%9 = ld.shared.b64 %0\n  st.global.b64 %0, %9"));
        assert!(load_again("st.global.b32 %3, %0"));
    }

    #[test]
    fn a_loop_that_writes_beside_a_load_keeps_it() {
        let around = |store: &str| {
            let text = format!(
                "  %0 = special tid.x\n  %1 = const.b32 4\n  %2 = const.pred true\n  \
                 %3 = add.i32 %0, %1\n  %4 = ld.global.b32 %0\n  jump b1\nb1:\n  %5 = phi.b32 b0 %0, b1 %7\n  %6 = ld.global.b32 %0\n  {store}\n  \
                 %7 = add.i32 %5, %1\n  branch %2, b1, b2\nb2:\n  return"
            );
            after("gvn", &text).contains("%6 = ld")
        };
        assert!(!around("st.global.b32 %3, %6"));
        // In the second iteration that is where the load reads.
        assert!(around("st.global.b32 %5, %6"));
    }
}
