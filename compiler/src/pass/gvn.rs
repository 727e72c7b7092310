//! Global value numbering over the dominator tree (Briggs, Cooper and Simpson, "Value Numbering",
//! 1997, the dominator-based technique): an instruction that does what one above it in the tree
//! does is replaced by it, and a load by what was loaded from or stored to the same address.
//!
//! A load is known by its address and by the *version* of the memory it reads. A store, an atomic,
//! a barrier and a volatile access make new versions, and so does a place where different ones
//! join; a loop's header keeps the version from before a loop that does not write. Two loads with
//! one version have no write between them on any path. What other threads write without
//! synchronising is not looked for, as C++ and CUDA allow.

use super::edit::{self, Written};
use super::forward::Forward;
use crate::analysis::{DominatorTree, Loops};
use crate::ir::{Access, Block, Function, Kind, Type, Value};
use reconverge_isa::{Space, Width};
use reconverge_planted::Planted;
use rustc_hash::FxHashMap;

/// What makes two instructions the same. Phis are the same only in one block.
pub(super) type Key = (Kind, Option<Type>, Option<Block>);

/// For shared, global and local memory, what has made it what it is.
type Versions = [u32; 3];

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let dominators = DominatorTree::dominators(function);
    let starts = versions(function, &dominators);
    let in_parts = function.loaded_in_parts();
    let mut forward = Forward::new(function);
    let mut known: FxHashMap<(Key, Versions), Value> = FxHashMap::default();
    // Entering a block pushes a mark to leave it, which takes back what the block has added.
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
        let mut versions = starts[block.index()];
        for &value in function.instructions(block) {
            let made = made(function, &mut forward, &mut versions, block, value);
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

/// What an instruction makes known: an expression and the value that it has.
fn made(
    function: &Function,
    forward: &mut Forward,
    versions: &mut Versions,
    block: Block,
    value: Value,
) -> Option<((Key, Versions), Value)> {
    let kind = function.kind(value);
    if !(Planted::StoreForgotten.is_on() && matches!(kind, Kind::Store(..))) {
        advance(versions, Written::by(kind), value.0);
    }
    match *kind {
        Kind::Load(access, address) if !access.volatile => {
            let load = Kind::Load(Access { part: None, ..access }, forward.get(address));
            let key = (load, function.instruction(value).ty, None);
            Some(((key, seen(access.space, versions)), value))
        }
        Kind::Store(access, address, stored)
            if !access.volatile
                && matches!(access.width, Width::B32 | Width::B64)
                && !matches!(function.kind(stored), Kind::Join(_)) =>
        {
            let load = Kind::Load(Access { part: None, ..access }, forward.get(address));
            let key = (load, Some(Type::of_width(access.width)), None);
            Some(((key, seen(access.space, versions)), forward.get(stored)))
        }
        _ => Some(((key(function, forward, block, value)?, Versions::default()), value)),
    }
}

/// What a pure instruction computes.
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
        _ => None,
    };
    Some((kind, instruction.ty, home))
}

/// The versions that an access to a space depends on; constant memory never changes.
fn seen(space: Space, versions: &Versions) -> Versions {
    let [shared, global, local] = *versions;
    match space {
        Space::Shared => [shared, 0, 0],
        Space::Global => [0, global, 0],
        Space::Local => [0, 0, local],
        Space::Constant => [0, 0, 0],
        Space::Generic => *versions,
    }
}

fn advance(versions: &mut Versions, written: Written, version: u32) {
    for (slot, written) in versions.iter_mut().zip(written.0) {
        if written {
            *slot = version;
        }
    }
}

/// The versions at the start of each block. A writing instruction's version is its number, that
/// of a block where different ones join comes after all instructions'.
fn versions(function: &Function, dominators: &DominatorTree) -> Vec<Versions> {
    let loops = Loops::new(function, dominators);
    let mut in_loop = vec![None; function.blocks.len()];
    for found in &loops.loops {
        if Planted::LoopWritesForgotten.is_on() {
            break;
        }
        in_loop[found.header.index()] = Some(edit::written(function, &found.blocks));
    }
    let predecessors = function.predecessors();
    let count = function.values.len() as u32;
    let mut starts = vec![[count; 3]; function.blocks.len()];
    let mut ends: Vec<Option<Versions>> = vec![None; function.blocks.len()];
    for block in function.reverse_postorder() {
        let from = &predecessors[block.index()];
        let back = |at: &&Block| dominators.dominates(block, **at);
        // Every other edge that has not been seen is part of a cycle with several entries.
        let unseen = from.iter().any(|at| !back(&at) && ends[at.index()].is_none());
        let mut entering = from.iter().filter(|at| !back(at)).filter_map(|at| ends[at.index()]);
        let mut now = entering.next().unwrap_or([count; 3]);
        let meeting = count + 1 + block.0;
        for end in entering {
            let differs = Written([0, 1, 2].map(|at| end[at] != now[at]));
            advance(&mut now, differs, meeting);
        }
        let changed =
            if unseen { Written::ALL } else { in_loop[block.index()].unwrap_or_default() };
        advance(&mut now, changed, meeting);
        starts[block.index()] = now;
        for &value in function.instructions(block) {
            advance(&mut now, Written::by(function.kind(value)), value.0);
        }
        ends[block.index()] = Some(now);
    }
    starts
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
}
