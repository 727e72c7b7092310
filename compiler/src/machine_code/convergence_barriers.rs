//! Convergence barriers: reconvergence by `bssy` and `bsync`, for machines without a reconvergence stack.
//!
//! Each reconvergence point gets one convergence barrier. Threads take part in it from their
//! arrival at one of the branches, or from elsewhere in the code between the branches and the point
//! ([`Region`]), until they arrive at the point. So for a branch in a loop that reconverges after
//! it the barrier is set once, in front of the loop, and branches that reconverge at one point
//! share a barrier.
//!
//! Source: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor Architectures", §3.1.2 (after
//! Diamos et al., 2015): `bssy` is its ADD, `bsync` its WAIT. The place of `bssy`, and numbers that
//! count the depth of nesting, are ours.

use super::assembly::Assembly;
use super::barrier_check;
use super::graph::Graph;
use super::region::{Region, regions};
use reconverge_isa::{BARRIERS, CodeTarget, Instruction, Kernel, Op};
use std::cmp::Reverse;

/// The pass `barriers`: adds convergence barriers to a kernel of one stream, and returns the number of instructions
/// added. Schemes that execute convergence barriers do not run two streams.
pub fn run(assembly: &mut Assembly, _: &CodeTarget) -> usize {
    let kernel = &mut assembly.kernel;
    if kernel.affine.is_some() {
        return 0;
    }
    let before = kernel.code.len();
    insert(kernel);
    let mut values = std::mem::take(&mut assembly.values).into_iter();
    let added = |instruction: &Instruction| matches!(instruction.op, Op::Bssy | Op::Bsync);
    let value = |instruction| if added(instruction) { None } else { values.next().flatten() };
    assembly.values = kernel.code.iter().map(value).collect();
    kernel.code.len() - before
}

/// Checks the barriers of a kernel of one stream.
///
/// # Errors
/// The first fault ([`barrier_check::check`]).
pub fn verify(kernel: &Kernel) -> Result<(), String> {
    if kernel.affine.is_some() { Ok(()) } else { barrier_check::check(&kernel.code) }
}

/// Adds `bssy` and `bsync` to a finished kernel. A region nested deeper than there are barriers
/// gets none: its threads reconverge at the point of the region around it.
pub fn insert(kernel: &mut Kernel) {
    let graph = Graph::new(&kernel.code);
    let barriers = number(&kernel.code, &graph);
    if barriers.is_empty() {
        return;
    }
    let plan = Plan::new(&graph, &barriers);
    let (code, origin) = plan.write(&kernel.code);
    kernel.lines = origin.iter().filter_map(|&from| kernel.lines.get(from).copied()).collect();
    kernel.code = code;
}

/// A region with the barrier in which its threads take part.
struct Barrier {
    region: Region,
    reconvergence: usize,
    number: u8,
    /// True if threads that do not take part run into the point, without a jump that could pass it
    /// by.
    runs_in: bool,
}

/// Gives numbers to regions, the largest first, so that no two that share a block share a number:
/// regions nest, so that this counts the depth. Regions for which no number is left are dropped.
fn number(code: &[Instruction], graph: &Graph) -> Vec<Barrier> {
    let regions = regions(code, graph).into_iter();
    let mut found: Vec<(usize, Region)> =
        regions.filter_map(|region| Some((region.reconvergence?, region))).collect();
    found.sort_by_key(|(reconvergence, region)| (Reverse(region.blocks.len()), *reconvergence));
    // By block, a bit for each number that is taken there.
    let mut taken = vec![0u16; graph.len()];
    let mut numbered = Vec::new();
    for (reconvergence, region) in found {
        let runs = |&from: &usize| graph.falls_into(code, from) == Some(reconvergence);
        let outside = |&from: &usize| runs(&from) && !region.leads_from(from);
        let runs_in = reconvergence == 0 || graph.predecessors(reconvergence).iter().any(outside);
        // The blocks in which the number is in use: from the branches on, and at a reconvergence
        // point that is run into.
        let diverges = || region.branches.iter().map(|branch| branch.block);
        let used = || {
            region.blocks.iter().copied().chain(diverges()).chain(runs_in.then_some(reconvergence))
        };
        let all = used().fold(0, |all, block| all | taken[block]);
        let number = all.trailing_ones() as u8;
        if number < BARRIERS {
            used().for_each(|block| taken[block] |= 1 << number);
            numbered.push(Barrier { region, reconvergence, number, runs_in });
        }
    }
    numbered
}

/// The additions and their places. At the start of a block, in this order: a `bssy` for threads
/// that run into the `bsync` after it without taking part; the `bsync`; the `bssy`s of threads that
/// enter regions from elsewhere. A jump enters this sequence where its threads have to; a thread
/// that runs into a `bssy` without need participates already. In front of a branch: the `bssy`s of
/// its region.
struct Plan<'a> {
    graph: &'a Graph,
    barriers: &'a [Barrier],
    /// By block, the barrier of which it is the reconvergence point, and true if a `bssy` precedes
    /// it.
    syncs: Vec<Option<(usize, bool)>>,
    /// By block, barriers that are set at its start, those around others first.
    entered: Vec<Vec<usize>>,
    /// By block, barriers that are set before its last instruction, a branch.
    at_branch: Vec<Vec<usize>>,
}

impl<'a> Plan<'a> {
    fn new(graph: &'a Graph, barriers: &'a [Barrier]) -> Plan<'a> {
        let count = graph.len();
        let mut plan = Plan {
            graph,
            barriers,
            syncs: vec![None; count],
            entered: vec![Vec::new(); count],
            at_branch: vec![Vec::new(); count],
        };
        for (index, Barrier { region, reconvergence, runs_in, .. }) in barriers.iter().enumerate() {
            plan.syncs[*reconvergence] = Some((index, *runs_in));
            for &block in &region.blocks {
                let mut from = graph.predecessors(block).iter();
                if block == 0 || from.any(|&from| !region.leads_from(from)) {
                    plan.entered[block].push(index);
                }
            }
            let outside = region.branches.iter().map(|branch| branch.block);
            for block in outside.filter(|&block| !region.contains(block)) {
                plan.at_branch[block].push(index);
            }
        }
        plan
    }

    /// The number of instructions added at the start of a block.
    fn added(&self, block: usize) -> usize {
        let sync = self.syncs[block].map_or(0, |(_, sets)| 1 + usize::from(sets));
        sync + self.entered[block].len()
    }

    /// The position of the `bsync` in the sequence at a block's start, or the position that it
    /// would have.
    fn sync_at(&self, block: usize) -> usize {
        self.syncs[block].map_or(0, |(_, sets)| usize::from(sets))
    }

    /// The position in the sequence at a block's start at which a jump from another enters.
    fn entry(&self, from: usize, block: usize) -> usize {
        let takes_part = |index: usize| self.barriers[index].region.leads_from(from);
        match self.syncs[block] {
            Some((index, _)) if takes_part(index) => self.sync_at(block),
            sync => {
                let sets = &self.entered[block];
                let first = sets.iter().position(|&index| !takes_part(index));
                self.sync_at(block) + usize::from(sync.is_some()) + first.unwrap_or(sets.len())
            }
        }
    }

    /// The code with all additions, and the origin of each instruction; an addition has the origin
    /// of the instruction after it.
    fn write(&self, code: &[Instruction]) -> (Vec<Instruction>, Vec<usize>) {
        let mut starts = Vec::with_capacity(self.graph.len());
        let mut at = 0;
        for block in 0..self.graph.len() {
            starts.push(at);
            at += self.added(block)
                + self.at_branch[block].len()
                + self.graph.instructions(block).len();
        }
        let place = |block: usize, offset: usize| (starts[block] + offset) as u32;
        let set = |index: usize| {
            let Barrier { reconvergence, number, .. } = self.barriers[index];
            let target = place(reconvergence, self.sync_at(reconvergence));
            Instruction { barrier: number, target, ..Instruction::new(Op::Bssy) }
        };
        let (mut found, mut origin) = (Vec::with_capacity(at), Vec::with_capacity(at));
        for block in 0..self.graph.len() {
            let instructions = self.graph.instructions(block);
            if let Some((index, sets)) = self.syncs[block] {
                let number = self.barriers[index].number;
                found.extend(sets.then(|| set(index)));
                found.push(Instruction { barrier: number, ..Instruction::new(Op::Bsync) });
            }
            found.extend(self.entered[block].iter().map(|&index| set(index)));
            origin.resize(found.len(), instructions.start);
            for index in instructions.clone() {
                if index + 1 == instructions.end {
                    found.extend(self.at_branch[block].iter().map(|&index| set(index)));
                }
                origin.resize(found.len() + 1, index);
                let mut instruction = code[index];
                if instruction.op == Op::Branch {
                    if let Some(to) = self.graph.starting_at(instruction.target as usize) {
                        instruction.target = place(to, self.entry(block, to));
                    }
                    let reconverge = &mut instruction.annotations.reconverge;
                    let start = reconverge.and_then(|at| self.graph.starting_at(at as usize));
                    *reconverge = start.map(|start| place(start, self.sync_at(start)));
                }
                found.push(instruction);
            }
        }
        (found, origin)
    }
}
