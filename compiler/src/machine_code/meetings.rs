//! The arm/meet form of reconvergence, for machines without a stack of paths.
//!
//! For each place where sides of branches meet, one convergence barrier: threads take part in it as
//! soon as they come to one of the branches, or from elsewhere into what runs between the branches and
//! the place ([`Region`]), and until they come to the place. So a branch in a loop that meets behind it
//! is armed once, in front of the loop, and branches that meet in one place share a barrier.
//!
//! Source: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor Architectures", §3.1.2 (after
//! Diamos et al., 2015): `bssy` is its ADD, `bsync` its WAIT. Where `bssy` stands, and that numbers count
//! the depth of nesting, is ours.

use super::graph::Graph;
use super::region::{Region, regions};
use reconverge_isa::{BARRIERS, Instruction, Kernel, Op};
use std::cmp::Reverse;

/// Adds `bssy` and `bsync` to a finished kernel. What is nested deeper than there are barriers is not
/// armed: its threads meet where what is around it does.
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
    meet: usize,
    number: u8,
    /// Whether threads that do not take part run into the place, without a jump that could pass it by.
    runs_in: bool,
}

/// Gives numbers to regions, the largest first, so that no two that share a block share a number:
/// regions nest, so that this counts the depth. Regions for which no number is left are dropped.
fn number(code: &[Instruction], graph: &Graph) -> Vec<Barrier> {
    let regions = regions(code, graph).into_iter();
    let mut found: Vec<(usize, Region)> =
        regions.filter_map(|region| Some((region.meet?, region))).collect();
    found.sort_by_key(|(meet, region)| (Reverse(region.blocks.len()), *meet));
    // By block, a bit for each number that is taken there.
    let mut taken = vec![0u16; graph.len()];
    let mut numbered = Vec::new();
    for (meet, region) in found {
        let runs = |&from: &usize| graph.falls_into(code, from) == Some(meet);
        let outside = |&from: &usize| runs(&from) && !region.leads_from(from);
        let runs_in = meet == 0 || graph.predecessors(meet).iter().any(outside);
        // Where the number is armed: from the branches on, and at a meeting place that is run into.
        let parted = || region.partings.iter().map(|parting| parting.block);
        let armed = || region.blocks.iter().copied().chain(parted()).chain(runs_in.then_some(meet));
        let all = armed().fold(0, |all, block| all | taken[block]);
        let number = all.trailing_ones() as u8;
        if number < BARRIERS {
            armed().for_each(|block| taken[block] |= 1 << number);
            numbered.push(Barrier { region, meet, number, runs_in });
        }
    }
    numbered
}

/// What is added where. At the start of a block, in this order: a `bssy` for threads that run into
/// the `bsync` behind it without taking part; the `bsync`; the `bssy`s of threads that come into regions
/// from elsewhere. A jump enters this sequence where its threads have to; who runs into a `bssy`
/// without need takes part already. In front of a branch: the `bssy`s of its region.
struct Plan<'a> {
    graph: &'a Graph,
    barriers: &'a [Barrier],
    /// By block, the barrier that meets at its start, and whether it is armed before.
    meets: Vec<Option<(usize, bool)>>,
    /// By block, barriers that are armed at its start, those around others first.
    entered: Vec<Vec<usize>>,
    /// By block, barriers that are armed before its last instruction.
    parted: Vec<Vec<usize>>,
}

impl<'a> Plan<'a> {
    fn new(graph: &'a Graph, barriers: &'a [Barrier]) -> Plan<'a> {
        let count = graph.len();
        let mut plan = Plan {
            graph,
            barriers,
            meets: vec![None; count],
            entered: vec![Vec::new(); count],
            parted: vec![Vec::new(); count],
        };
        for (index, Barrier { region, meet, runs_in, .. }) in barriers.iter().enumerate() {
            plan.meets[*meet] = Some((index, *runs_in));
            for &block in &region.blocks {
                let mut from = graph.predecessors(block).iter();
                if block == 0 || from.any(|&from| !region.leads_from(from)) {
                    plan.entered[block].push(index);
                }
            }
            let outside = region.partings.iter().map(|parting| parting.block);
            for block in outside.filter(|&block| !region.contains(block)) {
                plan.parted[block].push(index);
            }
        }
        plan
    }

    /// How many instructions are added at the start of a block.
    fn added(&self, block: usize) -> usize {
        let meet = self.meets[block].map_or(0, |(_, arms)| 1 + usize::from(arms));
        meet + self.entered[block].len()
    }

    /// Where in the sequence at a block's start the `bsync` stands, or would.
    fn meet_at(&self, block: usize) -> usize {
        self.meets[block].map_or(0, |(_, arms)| usize::from(arms))
    }

    /// Where in the sequence at a block's start a jump from another enters.
    fn entry(&self, from: usize, block: usize) -> usize {
        let takes_part = |index: usize| self.barriers[index].region.leads_from(from);
        match self.meets[block] {
            Some((index, _)) if takes_part(index) => self.meet_at(block),
            meet => {
                let arms = &self.entered[block];
                let first = arms.iter().position(|&index| !takes_part(index));
                self.meet_at(block) + usize::from(meet.is_some()) + first.unwrap_or(arms.len())
            }
        }
    }

    /// The code with everything added, and where each instruction comes from; what is added comes
    /// from where the instruction behind it does.
    fn write(&self, code: &[Instruction]) -> (Vec<Instruction>, Vec<usize>) {
        let mut starts = Vec::with_capacity(self.graph.len());
        let mut at = 0;
        for block in 0..self.graph.len() {
            starts.push(at);
            at +=
                self.added(block) + self.parted[block].len() + self.graph.instructions(block).len();
        }
        let place = |block: usize, offset: usize| (starts[block] + offset) as u32;
        let arm = |index: usize| {
            let Barrier { meet, number, .. } = self.barriers[index];
            let target = place(meet, self.meet_at(meet));
            Instruction { barrier: number, target, ..Instruction::new(Op::Bssy) }
        };
        let (mut found, mut origin) = (Vec::with_capacity(at), Vec::with_capacity(at));
        for block in 0..self.graph.len() {
            let instructions = self.graph.instructions(block);
            if let Some((index, arms)) = self.meets[block] {
                let number = self.barriers[index].number;
                found.extend(arms.then(|| arm(index)));
                found.push(Instruction { barrier: number, ..Instruction::new(Op::Bsync) });
            }
            found.extend(self.entered[block].iter().map(|&index| arm(index)));
            origin.resize(found.len(), instructions.start);
            for index in instructions.clone() {
                if index + 1 == instructions.end {
                    found.extend(self.parted[block].iter().map(|&index| arm(index)));
                }
                origin.resize(found.len() + 1, index);
                let mut instruction = code[index];
                if instruction.op == Op::Branch {
                    if let Some(to) = self.graph.starting_at(instruction.target as usize) {
                        instruction.target = place(to, self.entry(block, to));
                    }
                    let meet = &mut instruction.annotations.reconverge;
                    let start = meet.and_then(|meet| self.graph.starting_at(meet as usize));
                    *meet = start.map(|start| place(start, self.meet_at(start)));
                }
                found.push(instruction);
            }
        }
        (found, origin)
    }
}
