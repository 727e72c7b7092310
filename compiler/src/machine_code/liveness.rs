//! The registers that a thread still reads, at every instruction of finished code.

use super::graph::Graph;
use super::registers::{Registers, overwrites, reads};
use reconverge_isa::Instruction;
use reconverge_isa::planted::Planted;

/// The registers that a thread reads, from the start of a block on, before it writes them. This is
/// about one thread; [`Parked`](super::parked::Parked) adds the others of its warp.
#[derive(Clone, Debug)]
pub struct Liveness {
    live_in: Vec<Registers>,
}

/// The state before an instruction, from that after it.
fn before(instruction: &Instruction, mut live: Registers) -> Registers {
    live.remove(overwrites(instruction));
    live.add(reads(instruction));
    live
}

impl Liveness {
    /// Solves the usual equations, backwards, until nothing changes.
    pub fn new(code: &[Instruction], graph: &Graph) -> Liveness {
        let mut found = Liveness { live_in: vec![Registers::default(); graph.len()] };
        let mut waits = vec![true; graph.len()];
        let mut pending: Vec<usize> = (0..graph.len()).collect();
        while let Some(block) = pending.pop() {
            waits[block] = false;
            let after = found.live_out(graph, block);
            let inside = code[graph.instructions(block)].iter().rev();
            let live = inside.fold(after, |live, instruction| before(instruction, live));
            if found.live_in[block].add(live) && !Planted::LoopReadsForgotten.is_on() {
                for &from in graph.predecessors(block) {
                    if !std::mem::replace(&mut waits[from], true) {
                        pending.push(from);
                    }
                }
            }
        }
        found
    }

    /// The registers live at the start of a block.
    pub fn live_in(&self, block: usize) -> Registers {
        self.live_in[block]
    }

    /// The registers live at the end of a block.
    pub fn live_out(&self, graph: &Graph, block: usize) -> Registers {
        let mut live = Registers::default();
        for &next in graph.successors(block) {
            live.add(self.live_in[next]);
        }
        live
    }

    /// Calls `visit` with each instruction of a block, last to first, and the registers live before
    /// and after it.
    pub fn walk(
        &self,
        code: &[Instruction],
        graph: &Graph,
        block: usize,
        mut visit: impl FnMut(usize, Registers, Registers),
    ) {
        let mut after = self.live_out(graph, block);
        for index in graph.instructions(block).rev() {
            let live = before(&code[index], after);
            visit(index, live, after);
            after = live;
        }
    }
}
