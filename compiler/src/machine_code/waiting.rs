//! The needs of waiting threads while others of their warp run: liveness under divergence.
//!
//! One vector register serves all lanes of a warp, so a value is dead only when no thread of the
//! warp reads it any more. While one path of a divergent branch runs, threads of the same warp
//! wait. They wait at the start of the other path, if it runs later; at the reconvergence point, if
//! it ran earlier; and at a barrier of the block inside the other path, because a path that waits
//! there lets the other run. The order of the paths is the machine's choice (`push-order`), so both
//! orders count. If a warp does not diverge, no thread waits.
//!
//! Source: Jeon et al. and Tarjan and Skadron observe that divergence must be accounted for when a
//! register is released after its last read, as described in Aamodt, Fung, Rogers, "General-Purpose
//! Graphics Processor Architectures", §3.6.3. The order in which paths run is that of Rhu's
//! dissertation, §3.1.1. Our choices: threads wait at barriers, and regions are drawn from the
//! reconvergence points in the code.

use super::graph::Graph;
use super::liveness::Liveness;
use super::region::{Region, nested, regions};
use super::registers::Registers;
use reconverge_isa::planted::Planted;
use reconverge_isa::{Instruction, Op};

/// For each block the registers that threads which wait elsewhere still read while it runs.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// `None` when reconvergence points do not nest, so that nothing is known.
    needs: Option<Vec<Registers>>,
}

impl Waiting {
    /// Follows both paths of every branch that may diverge to its reconvergence point. The cost is the
    /// size of the code times the depth to which such branches are nested.
    pub fn new(code: &[Instruction], graph: &Graph, liveness: &Liveness) -> Waiting {
        let regions = regions(code, graph);
        if !nested(graph, &regions) {
            return Waiting { needs: None };
        }
        let count = graph.len();
        let mut solver = Solver {
            graph,
            liveness,
            at_barriers: at_barriers(code, graph, liveness),
            inside: vec![false; count],
            waits: vec![false; count],
            state: vec![Registers::default(); count],
            needs: vec![Registers::default(); count],
        };
        regions.iter().for_each(|region| solver.solve(region));
        Waiting { needs: Some(solver.needs) }
    }

    /// The registers that waiting threads still read while a block runs; `None` when that is
    /// unknown.
    pub fn needs(&self, block: usize) -> Option<Registers> {
        self.needs.as_ref().map(|needs| needs[block])
    }
}

/// By block, the registers that are live before and after its barriers and collectives: a barrier
/// that counts writes its result when it opens.
fn at_barriers(code: &[Instruction], graph: &Graph, liveness: &Liveness) -> Vec<Registers> {
    let of = |block: usize| {
        let mut found = Registers::default();
        // At a `warp.sync`, and at the vote or shuffle behind it, threads may wait for the lanes of
        // another path, and execute it again.
        let waits = |op: Op| op == Op::WarpSync || op.is_collective();
        let barrier = |index: usize| waits(code[index].op);
        if !Planted::NobodyWaitsAtBarriers.is_on() && graph.instructions(block).any(barrier) {
            liveness.walk(code, graph, block, |index, before, after| {
                if barrier(index) {
                    found.add(before);
                    found.add(after);
                }
            });
        }
        found
    };
    (0..graph.len()).map(of).collect()
}

struct Solver<'a> {
    graph: &'a Graph,
    liveness: &'a Liveness,
    at_barriers: Vec<Registers>,
    /// True if a block is in the current region.
    inside: Vec<bool>,
    /// True if a block is to be examined again.
    waits: Vec<bool>,
    /// The state of the solution, by block of the region.
    state: Vec<Registers>,
    /// The union of the findings in all regions.
    needs: Vec<Registers>,
}

impl Solver<'_> {
    fn solve(&mut self, region: &Region) {
        region.blocks.iter().for_each(|&block| self.inside[block] = true);
        let ahead = self.barriers_ahead(region);
        self.across(region, &ahead);
        let reconvergence =
            region.reconvergence.filter(|_| !Planted::ReconvergenceNeedsNothing.is_on());
        let at_reconvergence =
            reconvergence.map_or(Registers::default(), |block| self.liveness.live_in(block));
        for &block in &region.blocks {
            let state = std::mem::take(&mut self.state[block]);
            self.needs[block].add(state);
            self.needs[block].add(at_reconvergence);
            self.inside[block] = false;
        }
    }

    /// For each path of each branch, the possible needs of its threads while they wait in it: at
    /// its start, or at a barrier that they may reach before the region ends.
    fn barriers_ahead(&mut self, region: &Region) -> Vec<[Registers; 2]> {
        let mut from = Vec::new();
        for &block in &region.blocks {
            if self.at_barriers[block] != Registers::default() {
                self.state[block] = self.at_barriers[block];
                from.push(block);
            }
        }
        let graph = self.graph;
        self.spread(from, |block| graph.predecessors(block));
        let needed = |start: usize| {
            let mut needs = self.liveness.live_in(start);
            if self.inside[start] {
                needs.add(self.state[start]);
            }
            needs
        };
        let found = region.branches.iter().map(|branch| branch.paths.map(needed)).collect();
        region.blocks.iter().for_each(|&block| self.state[block] = Registers::default());
        found
    }

    /// Adds to each path of each branch the registers that the other needs, up to the reconvergence
    /// point.
    fn across(&mut self, region: &Region, needed: &[[Registers; 2]]) {
        let mut from = Vec::new();
        for (branch, &[one, other]) in region.branches.iter().zip(needed) {
            for (start, needs) in branch.paths.into_iter().zip([other, one]) {
                if self.inside[start] && self.state[start].add(needs) {
                    from.push(start);
                }
            }
        }
        let graph = self.graph;
        self.spread(from, |block| graph.successors(block));
    }

    /// Adds the states of some blocks to those of their neighbours in the region, and so on until
    /// nothing changes.
    fn spread<'b>(&mut self, mut pending: Vec<usize>, neighbours: impl Fn(usize) -> &'b [usize]) {
        pending.iter().for_each(|&block| self.waits[block] = true);
        while let Some(block) = pending.pop() {
            self.waits[block] = false;
            let state = self.state[block];
            for &next in neighbours(block) {
                let grows = self.inside[next] && self.state[next].add(state);
                if grows && !std::mem::replace(&mut self.waits[next], true) {
                    pending.push(next);
                }
            }
        }
    }
}
