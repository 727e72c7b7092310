//! The allocation of dependence counters: which of a warp's few counters stands for which results and reads of varying
//! latency.
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §4: producers that one instruction awaits share a counter without loss;
//! where more than six are in flight, some share one, and the first reader waits for all of them. The
//! paper does not describe an allocation; this one is ours:
//!
//! - Producers that are first awaited by the same instruction of their block form a group. Those that
//!   are awaited in other blocks are grouped by the registers that they write or read.
//! - The groups in flight at each instruction follow from a forward analysis over all paths.
//! - Two groups on one counter cost the cycles for which an instruction that awaits one of them would
//!   wait for the other, ten times for each loop around.
//! - Groups take the cheapest counter in the order of their producers. Then each moves as long as that
//!   is cheaper.

use super::graph::Graph;
use super::limits::{self, Limit};
use super::registers::{POSITIONS, Registers, destination, reads};
use reconverge_isa::table::Unit;
use reconverge_isa::{ControlPart, ControlTarget, Effect, FixedLatencies, Instruction, Space};
use std::collections::{BTreeMap, BTreeSet};

/// The counters of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chosen {
    /// The counter of its result, if something reads or overwrites it.
    pub(super) write: Option<u8>,
    /// The counter of its sources, if something overwrites them before the result is awaited.
    pub(super) read: Option<u8>,
}

/// The counters of a kernel's instructions.
#[derive(Default)]
pub(super) struct Allocation {
    /// By instruction.
    pub(super) chosen: Vec<Chosen>,
    /// The waits for a counter above 0, in the order of the code.
    pub(super) limits: Vec<Limit>,
}

/// The counters of all instructions, where those of `common` access one address by all threads.
pub(super) fn allocate(
    code: &[Instruction],
    common: &[bool],
    graph: &Graph,
    target: &ControlTarget,
) -> Allocation {
    let next = next_accesses(code, graph, &target.latencies);
    if !target.does(ControlPart::Counters) {
        let shared = |next: &Next| Chosen {
            write: next.result.map(|_| 0),
            read: next.overwrite.map(|_| 1 % target.counters),
        };
        return Allocation { chosen: next.iter().map(shared).collect(), limits: Vec::new() };
    }
    let groups = Groups::new(code, &next);
    let starts = starts(code, graph, &groups);
    let counters = Costs::new(code, graph, &groups, &starts).assign(target.counters);
    let counter = |group: &Option<usize>| group.map(|group| counters[group]);
    let chosen = |of: &Producer| Chosen { write: counter(&of.write), read: counter(&of.read) };
    let chosen = groups.producers.iter().map(chosen).collect();
    let limits = match target.does(ControlPart::Limits) {
        true => limits::find(code, common, graph, &groups, starts, &counters),
        false => Vec::new(),
    };
    Allocation { chosen, limits }
}

/// The position of an access in another block.
const FAR: usize = usize::MAX;

/// The next accesses of the registers of an instruction of varying latency, as positions in the code.
#[derive(Clone, Copy, Default)]
struct Next {
    /// The first that reads or overwrites its result, if there is one.
    result: Option<usize>,
    /// The first that overwrites a source before that, if there is one.
    overwrite: Option<usize>,
}

/// The next accesses of what instructions of varying latency read and write.
fn next_accesses(code: &[Instruction], graph: &Graph, latencies: &FixedLatencies) -> Vec<Next> {
    let accesses = |instruction: &Instruction| {
        let mut all = reads(instruction);
        all.add(destination(instruction));
        all
    };
    let accessed = later(code, graph, accesses);
    let overwritten = later(code, graph, destination);
    let mut found = vec![Next::default(); code.len()];
    for block in 0..graph.len() {
        let far = |set: &Registers, at: usize| set.has(at).then_some(FAR);
        let start = |sets: &[Registers]| -> Vec<Option<usize>> {
            (0..POSITIONS).map(|at| far(&sets[block], at)).collect()
        };
        let (mut access, mut overwrite) = (start(&accessed), start(&overwritten));
        for index in graph.instructions(block).rev() {
            let instruction = &code[index];
            if latencies.latency(instruction).is_none() {
                let first = |at: &[Option<usize>], set: Registers| {
                    set.positions().filter_map(|position| at[position]).min()
                };
                let result = first(&access, destination(instruction));
                let overwrite = first(&overwrite, reads(instruction));
                let covered =
                    |at: &usize| result.is_some_and(|result| result != FAR && result <= *at);
                found[index] = Next { result, overwrite: overwrite.filter(|at| !covered(at)) };
            }
            accesses(instruction).positions().for_each(|at| access[at] = Some(index));
            destination(instruction).positions().for_each(|at| overwrite[at] = Some(index));
        }
    }
    found
}

/// By block, the registers that some instruction after its end accesses in a manner.
fn later(
    code: &[Instruction],
    graph: &Graph,
    of: impl Fn(&Instruction) -> Registers,
) -> Vec<Registers> {
    let own = |block: usize| {
        code[graph.instructions(block)].iter().fold(Registers::default(), |mut all, instruction| {
            all.add(of(instruction));
            all
        })
    };
    let own: Vec<Registers> = (0..graph.len()).map(own).collect();
    let mut after = vec![Registers::default(); graph.len()];
    let mut pending: BTreeSet<usize> = (0..graph.len()).collect();
    while let Some(block) = pending.pop_last() {
        let mut here = own[block];
        here.add(after[block]);
        for &from in graph.predecessors(block) {
            if after[from].add(here) {
                pending.insert(from);
            }
        }
    }
    after
}

/// The groups of an instruction's result and sources.
#[derive(Clone, Copy, Default)]
pub(super) struct Producer {
    pub(super) write: Option<usize>,
    pub(super) read: Option<usize>,
}

/// The groups of producers.
pub(super) struct Groups {
    /// By instruction.
    pub(super) producers: Vec<Producer>,
    /// The number of groups.
    pub(super) count: usize,
}

/// The property that producers of a group share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// The instruction of their block that awaits them.
    Awaited(usize),
    /// The first of the registers that results of other blocks' readers share.
    Written(usize),
    /// The same for sources.
    Read(usize),
}

impl Groups {
    fn new(code: &[Instruction], next: &[Next]) -> Groups {
        let (mut written, mut read) = (Shared::new(), Shared::new());
        for (instruction, next) in code.iter().zip(next) {
            if next.result == Some(FAR) {
                written.join(destination(instruction));
            }
            if next.overwrite == Some(FAR) {
                read.join(reads(instruction));
            }
        }
        let mut numbers: BTreeMap<Key, usize> = BTreeMap::new();
        let mut number = |key: Key| {
            let count = numbers.len();
            *numbers.entry(key).or_insert(count)
        };
        let mut producers = Vec::with_capacity(code.len());
        for (instruction, next) in code.iter().zip(next) {
            let key = |at: usize, far: Key| if at == FAR { far } else { Key::Awaited(at) };
            let write = next
                .result
                .map(|at| number(key(at, Key::Written(written.first(destination(instruction))))));
            let read =
                next.overwrite.map(|at| number(key(at, Key::Read(read.first(reads(instruction))))));
            producers.push(Producer { write, read });
        }
        Groups { producers, count: numbers.len() }
    }
}

/// Sets of registers that some instructions access together.
struct Shared(Vec<usize>);

impl Shared {
    fn new() -> Shared {
        Shared((0..POSITIONS).collect())
    }

    /// The lowest register of a register's set.
    fn lowest(&self, mut at: usize) -> usize {
        while self.0[at] != at {
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, registers: Registers) {
        let lowest: Vec<usize> = registers.positions().map(|at| self.lowest(at)).collect();
        let least = lowest.iter().copied().min().unwrap_or(0);
        lowest.into_iter().for_each(|at| self.0[at] = least);
    }

    fn first(&self, registers: Registers) -> usize {
        registers.positions().next().map_or(0, |at| self.lowest(at))
    }
}

/// A group in flight.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct InFlight {
    pub(super) written: Registers,
    pub(super) read: Registers,
    /// The cycle at which all of it has ended, if the block's instructions issue one per cycle from its first position on.
    end: usize,
}

/// The groups in flight before an instruction.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Live(pub(super) BTreeMap<usize, InFlight>);

impl Live {
    /// Adds those of another path. Returns true if some registers are new.
    fn join(&mut self, other: &Live) -> bool {
        let mut is_new = false;
        for (&group, more) in &other.0 {
            let known = self.0.entry(group).or_default();
            is_new |= known.written.add(more.written);
            is_new |= known.read.add(more.read);
            known.end = known.end.max(more.end);
        }
        is_new
    }

    /// Takes out those that an instruction awaits.
    pub(super) fn awaited(&mut self, instruction: &Instruction) -> Vec<(usize, InFlight)> {
        let written = destination(instruction);
        let mut accessed = reads(instruction);
        accessed.add(written);
        let meets = |it: &InFlight| it.written.intersects(accessed) || it.read.intersects(written);
        let found: Vec<(usize, InFlight)> =
            self.0.iter().filter(|(_, it)| meets(it)).map(|(&group, &it)| (group, it)).collect();
        for (group, _) in &found {
            self.0.remove(group);
        }
        found
    }

    /// An instruction of varying latency issues at a position.
    pub(super) fn issue(&mut self, producer: Producer, instruction: &Instruction, at: usize) {
        let mut raise = |group: usize, written: Registers, read: Registers, cycles: usize| {
            let it = self.0.entry(group).or_default();
            it.written.add(written);
            it.read.add(read);
            it.end = it.end.max(at + cycles);
        };
        let (written, read) = (destination(instruction), reads(instruction));
        match producer {
            Producer { write: Some(write), read: None } => {
                raise(write, written, read, latency(instruction));
            }
            Producer { write, read: of_reads } => {
                if let Some(write) = write {
                    raise(write, written, Registers::default(), latency(instruction));
                }
                if let Some(of_reads) = of_reads {
                    raise(of_reads, Registers::default(), read, READ_LATENCY);
                }
            }
        }
    }

    /// The same from the end of a block of some instructions on.
    fn after(mut self, length: usize) -> Live {
        for it in self.0.values_mut() {
            it.end = it.end.saturating_sub(length);
        }
        self
    }
}

/// Cycles from issue until sources have been read, to compare groups.
const READ_LATENCY: usize = 10;

/// Cycles until a result of varying latency is there, to compare groups: as scheduling assumes.
fn latency(instruction: &Instruction) -> usize {
    let row = instruction.op.row();
    match (row.effect, instruction.space) {
        (Effect::Load, Space::Shared | Space::Constant) => 25,
        (Effect::Load | Effect::Atomic | Effect::Divide, _) => 100,
        (_, _) if matches!(row.unit, Unit::Special | Unit::FloatDivide | Unit::DoubleDivide) => 40,
        _ => 20,
    }
}

/// The costs of two groups on one counter.
struct Costs {
    /// By group: other groups, in order, and the cycles lost.
    with: Vec<BTreeMap<usize, u64>>,
}

impl Costs {
    fn new(code: &[Instruction], graph: &Graph, groups: &Groups, starts: &[Live]) -> Costs {
        let depths = depths(graph);
        let mut costs = Costs { with: vec![BTreeMap::new(); groups.count] };
        for (block, start) in starts.iter().enumerate() {
            let mut live = start.clone();
            let weight = 10u64.pow(depths[block].min(6));
            let first = graph.instructions(block).start;
            for index in graph.instructions(block) {
                let at = index - first;
                let awaited = live.awaited(&code[index]);
                if let Some(end) = awaited.iter().map(|(_, it)| it.end.max(at)).max() {
                    costs.add(&awaited, &live, end, weight);
                }
                live.issue(groups.producers[index], &code[index], at);
            }
        }
        costs
    }

    /// An instruction awaits some groups, which have ended at `end`, while others stay in flight.
    fn add(&mut self, awaited: &[(usize, InFlight)], others: &Live, end: usize, weight: u64) {
        for (&other, it) in &others.0 {
            // A group that will have ended before still takes an order that may differ.
            let lost = weight * (1 + it.end.saturating_sub(end) as u64);
            for &(group, _) in awaited {
                *self.with[group].entry(other).or_insert(0) += lost;
                *self.with[other].entry(group).or_insert(0) += lost;
            }
        }
    }

    /// The counter of each group.
    fn assign(&self, counters: u8) -> Vec<u8> {
        let mut assigned: Vec<Option<u8>> = vec![None; self.with.len()];
        for _ in 0..SWEEPS {
            let mut moves = false;
            for group in 0..assigned.len() {
                let mut lost = vec![0u64; usize::from(counters)];
                for (&other, &cost) in &self.with[group] {
                    if let Some(counter) = assigned[other] {
                        lost[usize::from(counter)] += cost;
                    }
                }
                let best = (0..counters).min_by_key(|&counter| lost[usize::from(counter)]);
                let best = best.unwrap_or(0);
                let cost_of = |counter: u8| lost[usize::from(counter)];
                if assigned[group].is_none_or(|own| cost_of(best) < cost_of(own)) {
                    assigned[group] = Some(best);
                    moves = true;
                }
            }
            if !moves {
                break;
            }
        }
        assigned.into_iter().map(|counter| counter.unwrap_or(0)).collect()
    }
}

/// How often groups are looked at again, at most.
const SWEEPS: usize = 8;

/// The groups in flight at the start of each block, on any path.
fn starts(code: &[Instruction], graph: &Graph, groups: &Groups) -> Vec<Live> {
    let mut starts = vec![Live::default(); graph.len()];
    let mut pending: BTreeSet<usize> = (0..graph.len()).collect();
    while let Some(block) = pending.pop_first() {
        let mut live = starts[block].clone();
        let instructions = graph.instructions(block);
        let length = instructions.len();
        for (at, index) in instructions.enumerate() {
            live.awaited(&code[index]);
            live.issue(groups.producers[index], &code[index], at);
        }
        let end = live.after(length);
        for &next in graph.successors(block) {
            if starts[next].join(&end) {
                pending.insert(next);
            }
        }
    }
    starts
}

/// The loops around each block: a loop lies between the target and the source of branches backward.
fn depths(graph: &Graph) -> Vec<u32> {
    let mut depths = vec![0; graph.len()];
    for head in 0..graph.len() {
        let last = graph.predecessors(head).iter().copied().filter(|&from| from >= head).max();
        if let Some(last) = last {
            depths[head..=last].iter_mut().for_each(|depth| *depth += 1);
        }
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_isa::text;

    /// The counters of some code's instructions that have any: of the result, then of the sources.
    fn chosen(code: &str, counters: u8) -> Vec<(Option<u8>, Option<u8>)> {
        let program = text::parse(code).unwrap_or_else(|errors| panic!("{}\n{code}", errors[0]));
        let latencies = FixedLatencies::new(|row| (row.unit != Unit::Memory).then_some(4));
        let target = ControlTarget { counters, ..ControlTarget::new(latencies) };
        let code = &program.kernels[0].code;
        let all = allocate(code, &[], &Graph::new(code), &target).chosen;
        let all = all.into_iter().filter(|it| *it != Chosen::default());
        all.map(|it| (it.write, it.read)).collect()
    }

    #[test]
    fn the_reader_of_a_short_load_does_not_wait_for_a_long_one() {
        // With two counters the third group shares that of the load which it costs less to wait for.
        let code = "ld.global.b32 r1, [r0]\n ld.shared.b32 r2, [r0]\n ld.global.b32 r3, [r0+4]\n \
            add.i32 r2, r2, r2\n add.i32 r1, r1, r1\n add.i32 r3, r3, r3\n exit";
        let write = |counter| (Some(counter), None);
        assert_eq!(chosen(code, 6), [write(0), write(1), write(2)]);
        assert_eq!(chosen(code, 2), [write(0), write(1), write(0)]);
    }

    #[test]
    fn what_is_awaited_in_another_block_is_not_awaited_in_between() {
        let code = "ld.global.b32 r1, [r0]\n L: ld.shared.b32 r2, [r0]\n add.i32 r0, r2, r2\n \
            setp.lt.s32 p0, r0, 9\n @p0 bra L\n add.i32 r1, r1, r1\n exit";
        let found = chosen(code, 6);
        assert_ne!(found[0].0, found[1].0, "{found:?}");
    }

    #[test]
    fn loops_weigh_more() {
        // Two counters for three groups: those awaited in the loop are apart.
        let code = "ld.global.b32 r9, [r0]\n L: ld.shared.b32 r2, [r0]\n ld.global.b32 r3, [r0]\n \
            add.i32 r2, r2, r2\n add.i32 r0, r3, r2\n setp.lt.s32 p0, r0, 9\n @p0 bra L\n \
            add.i32 r9, r9, r9\n exit";
        let found = chosen(code, 2);
        assert_ne!(found[1].0, found[2].0, "{found:?}");
    }
}
