//! Strands: where a warp can leave the active pool, for a register file whose upper levels the compiler manages.
//!
//! Source: Aamodt, Fung, Rogers, §3.6.1 (after Gebhart et al.): a warp leaves the pool "at long-latency operations, such as global
//! memory loads"; with a register file that the compiler manages "the compiler indicates when". The name is Gebhart et al.'s.
//!
//! The text leaves open where, and here is so. A strand begins
//!
//! - with an instruction that reads or writes a register which a load or an atomic beyond the SM may still have to write, for the
//!   first time since: generic, global and local memory;
//! - after a barrier of the block, `warp.sync` and `bsync`, and with `warp.sync`, which may be executed again after it has waited;
//! - with an instruction that dequeues, for it may wait for the affine stream;
//! - at the target of a branch backwards, so that a warp that waits for another one in a loop lets
//!   it continue.

use super::graph::Graph;
use super::registers::{Registers, destination, reads};
use reconverge_isa::{Effect, Instruction, Op, Space};

/// By instruction: a strand begins with it.
pub fn begins(code: &[Instruction], graph: &Graph) -> Vec<bool> {
    let mut begins = vec![false; code.len()];
    for (index, instruction) in code.iter().enumerate() {
        let effect = instruction.op.row().effect;
        let is_sync = instruction.op == Op::WarpSync;
        begins[index] |= is_sync || instruction.dequeues().is_some();
        let waits =
            is_sync || matches!(effect, Effect::Barrier | Effect::CountedBarrier | Effect::Bsync);
        if waits && let Some(next) = begins.get_mut(index + 1) {
            *next = true;
        }
        let is_back = effect == Effect::Branch && instruction.target as usize <= index;
        if is_back && let Some(target) = begins.get_mut(instruction.target as usize) {
            *target = true;
        }
    }
    let starts = pending(code, graph);
    for (block, &(mut pending)) in starts.iter().enumerate() {
        for index in graph.instructions(block) {
            begins[index] |= needs(&code[index]).intersects(pending);
            pending = after(&code[index], pending);
        }
    }
    begins
}

/// By block: the registers that loads may still have to write when it begins, on some path to it.
fn pending(code: &[Instruction], graph: &Graph) -> Vec<Registers> {
    let mut starts = vec![Registers::default(); graph.len()];
    let mut work: Vec<usize> = (0..graph.len()).rev().collect();
    while let Some(block) = work.pop() {
        let inside = &code[graph.instructions(block)];
        let end = inside.iter().fold(starts[block], |pending, it| after(it, pending));
        for &next in graph.successors(block) {
            if starts[next].add(end) {
                work.push(next);
            }
        }
    }
    starts
}

/// The pending registers after an instruction, from those before it.
fn after(instruction: &Instruction, mut pending: Registers) -> Registers {
    pending.remove(needs(instruction));
    if is_long(instruction) {
        pending.add(destination(instruction));
    }
    pending
}

/// The registers for which an instruction waits.
fn needs(instruction: &Instruction) -> Registers {
    let mut needs = reads(instruction);
    needs.add(destination(instruction));
    needs
}

/// Returns true if the result may arrive from memory outside the SM.
pub(super) fn is_long(instruction: &Instruction) -> bool {
    match instruction.op.row().effect {
        Effect::Load => {
            matches!(instruction.space, Space::Generic | Space::Global | Space::Local)
        }
        Effect::Atomic => instruction.space != Space::Shared,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_isa::text::parse;

    /// The instructions with which strands begin.
    fn strands(text: &str) -> Vec<usize> {
        let code = parse(text).expect("it is good").kernels.remove(0).code;
        let found = begins(&code, &Graph::new(&code));
        (0..found.len()).filter(|&index| found[index]).collect()
    }

    #[test]
    fn a_strand_begins_with_the_first_use_of_a_load() {
        // The add waits for r1; the second one does not wait again. The move to r2 waits for the other load.
        let text = "ld.global.b32 r1, [r0]\n ld.local.b32 r2, [r0]\n add.i32 r3, r0, 1\n add.i32 r4, r1, 1\n\
            add.i32 r4, r1, 2\n mov.b32 r2, 1\n exit";
        assert_eq!(strands(text), [3, 5]);
        // Shared and constant memory are not beyond the SM.
        let text = "ld.shared.b32 r1, [r0]\n add.i32 r1, r1, 1\n ld.const.b32 r1, [r0]\n add.i32 r1, r1, 1\n exit";
        assert_eq!(strands(text), []);
    }

    #[test]
    fn a_load_may_be_pending_on_one_way() {
        let text = "@p0 bra L !reconverge L\n ld.global.b32 r1, [r0]\nL:\n add.i32 r2, r0, 1\n add.i32 r2, r1, 1\n exit";
        assert_eq!(strands(text), [3]);
    }

    #[test]
    fn a_strand_begins_where_threads_wait_and_where_loops_do() {
        let text = "mov.b32 r0, 1\nL:\n add.i32 r0, r0, 1\n bar.sync\n setp.lt.s32 p0, r0, 9\n@p0 bra L\n exit";
        assert_eq!(strands(text), [1, 3]);
    }
}
