//! Control bits: the compiler states the dependences of finished code, for machines that check none.
//!
//! Sources: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §4; Aamodt, Fung, Rogers, §2.2.1. The papers describe the bits;
//! the rules by which the compiler chooses them are ours:
//!
//! - A result of fixed latency is awaited by the stall count of the instruction in front of its
//!   first reader, so that all in between issue as early as they can. The states of all
//!   predecessors are joined where a block begins, and only those stall that have to.
//! - A result of varying latency raises a dependence counter if something reads or overwrites it
//!   later. Its sources raise another one if something overwrites them before that.
//!   [`counters`](super::counters) has their allocation.
//! - A wait may end while its counter is above 0, by an instruction of its own
//!   ([`limits`](super::limits)).
//! - If the next instruction waits for a counter that an instruction raises, the latter yields for a
//!   cycle, in which the counter rises (§5.1.1): no stall count is needed for that.
//! - A source is reused if the next instruction of its block that reads the same bank by the same
//!   operand reads the same register, if neither that nor one in between waits for a counter.

use super::assembly::Assembly;
use super::common_addresses;
use super::counters::{self, Allocation, Chosen};
use super::graph::Graph;
use super::limits::{self, Limit};
use super::registers::{POSITIONS, Registers, destination, reads};
use reconverge_isa::control_bits::{BANKS, COUNTERS, DEPBAR_STALL, MAX_STALL};
use reconverge_isa::planted::Planted;
use reconverge_isa::{
    CodeTarget, ControlBits, ControlPart, ControlTarget, FixedLatencies, Instruction, Kernel,
    Operand,
};
use std::collections::{BTreeMap, BTreeSet};

/// The pass `control-bits`: states the dependences of a kernel, and returns the number of instructions that have control
/// bits.
pub fn run(assembly: &mut Assembly, target: &CodeTarget) -> usize {
    let Some(target) = &target.control_bits else {
        return 0;
    };
    let common = match target.does(ControlPart::Addresses) {
        true => common_addresses::find(assembly),
        false => vec![false; assembly.kernel.main_code().len()],
    };
    for at in choose(&mut assembly.kernel, common, target) {
        assembly.values.insert(at, None);
    }
    assembly.kernel.main_code().len()
}

/// States the dependences of a kernel's first stream, where instructions of `common` access one address by all threads;
/// those of an affine stream have none.
/// Returns the places of inserted waits, in order.
pub fn choose(kernel: &mut Kernel, mut common: Vec<bool>, target: &ControlTarget) -> Vec<usize> {
    let code = kernel.main_code();
    let mut allocation = counters::allocate(code, &common, &Graph::new(code), target);
    // Regions and a second stream are at places in the code.
    match kernel.record.regions.is_empty() && kernel.affine.is_none() {
        true => limits::insert(kernel, &mut allocation, &mut common),
        false => allocation.limits.clear(),
    }
    let mut bits = state(kernel, &allocation, target);
    for (bits, common) in bits.iter_mut().zip(common) {
        bits.common = common;
    }
    bits.resize(kernel.code.len(), ControlBits::default());
    kernel.record.control_bits = bits;
    allocation.limits.iter().map(|limit| limit.before).collect()
}

/// The control bits of a kernel's first stream, by instruction, with some counters.
fn state(kernel: &Kernel, allocation: &Allocation, target: &ControlTarget) -> Vec<ControlBits> {
    let code = kernel.main_code();
    let graph = Graph::new(code);
    let mut solver = Solver::new(code, &graph, allocation, target);
    while let Some(block) = solver.pending.pop_first() {
        solver.visit(block);
    }
    let mut bits = solver.bits;
    for block in 0..graph.len() {
        let block = graph.instructions(block);
        yield_to_counters(&code[block.clone()], &mut bits[block]);
    }
    if target.does(ControlPart::Reuse) {
        for block in 0..graph.len() {
            let block = graph.instructions(block);
            let first_uniform = kernel.first_uniform();
            let own = &mut bits[block.clone()];
            reuse(&code[block], own, &target.latencies, first_uniform);
        }
    }
    for bits in &mut bits {
        if Planted::StallTooSmall.is_on() && bits.stall > 1 {
            bits.stall -= 1;
        }
        if Planted::CounterForgotten.is_on() {
            bits.wait &= !1;
        }
    }
    bits
}

/// The cycles from the issue of a counter's instruction to that of the first one that sees it raised.
const RISE: u8 = 2;

/// The results and reads in flight before an instruction, on the longest path to it.
#[derive(Clone, PartialEq, Eq)]
struct InFlight {
    /// By position: cycles until its result of fixed latency is there, for readers of varying latency too.
    due: [u8; POSITIONS],
    /// By position: the counters of writes to it.
    writes: [u8; POSITIONS],
    /// By position: the counters of reads of it.
    reads: [u8; POSITIONS],
    /// By counter: cycles until it has risen.
    rising: [u8; COUNTERS as usize],
}

impl InFlight {
    const NOTHING: InFlight = InFlight {
        due: [0; POSITIONS],
        writes: [0; POSITIONS],
        reads: [0; POSITIONS],
        rising: [0; COUNTERS as usize],
    };

    fn pass(&mut self, cycles: u8) {
        self.due.iter_mut().for_each(|due| *due = due.saturating_sub(cycles));
        self.rising.iter_mut().for_each(|left| *left = left.saturating_sub(cycles));
    }

    /// An instruction waits for some counters. Those that have not risen yet, it does not see.
    fn clear(&mut self, counters: u8) {
        let risen = |counter: &u8| self.rising[usize::from(*counter)] == 0;
        let seen = (0..COUNTERS).filter(risen).fold(0, |seen, counter| seen | 1 << counter);
        let left = !(counters & seen);
        self.writes.iter_mut().for_each(|of| *of &= left);
        self.reads.iter_mut().for_each(|of| *of &= left);
    }

    fn join(&mut self, other: &InFlight) {
        let longest = |one: &mut [u8], other: &[u8]| {
            one.iter_mut().zip(other).for_each(|(one, other)| *one = (*one).max(*other));
        };
        longest(&mut self.due, &other.due);
        longest(&mut self.rising, &other.rising);
        let all = |one: &mut [u8], other: &[u8]| {
            one.iter_mut().zip(other).for_each(|(one, other)| *one |= other);
        };
        all(&mut self.writes, &other.writes);
        all(&mut self.reads, &other.reads);
    }

    /// A wait has ended while its counter was above 0.
    fn limited(&mut self, limit: &Limit) {
        let left = !(1 << limit.counter);
        limit.written.positions().for_each(|at| self.writes[at] &= left);
        limit.read.positions().for_each(|at| self.reads[at] &= left);
    }

    /// The counters that an instruction has to wait for.
    fn awaited(&self, instruction: &Instruction) -> u8 {
        let read = reads(instruction).positions().fold(0, |all, at| all | self.writes[at]);
        let written = destination(instruction).positions();
        written.fold(read, |all, at| all | self.writes[at] | self.reads[at])
    }

    /// The cycles that an instruction has to issue later which waits for some counters.
    fn missing(&self, instruction: &Instruction, latencies: &FixedLatencies, awaited: u8) -> u8 {
        let early = latencies.unforwarded - latencies.read_delay(instruction);
        let read = reads(instruction).positions().map(|at| self.due[at].saturating_sub(early));
        // A result must not be overwritten by an older one.
        let latency = latencies.latency(instruction);
        let shortest = latencies.unforwarded + latency.map_or(0, |latency| latency - 1);
        let overwritten = |at: usize| self.due[at].saturating_sub(shortest);
        let written = destination(instruction).positions().map(overwritten);
        let rising = (0..COUNTERS).filter(|counter| awaited >> counter & 1 != 0);
        let rising = rising.map(|counter| self.rising[usize::from(counter)]);
        read.chain(written).chain(rising).max().unwrap_or(0)
    }
}

struct Solver<'a> {
    code: &'a [Instruction],
    graph: &'a Graph,
    target: &'a ControlTarget,
    bits: Vec<ControlBits>,
    /// By instruction that waits for a counter above 0.
    limits: BTreeMap<usize, Limit>,
    /// By block: the state at its end.
    ends: Vec<Option<InFlight>>,
    /// Blocks to be examined, in the order of the code.
    pending: BTreeSet<usize>,
}

impl<'a> Solver<'a> {
    fn new(
        code: &'a [Instruction],
        graph: &'a Graph,
        Allocation { chosen, limits }: &Allocation,
        target: &'a ControlTarget,
    ) -> Solver<'a> {
        let latency = |instruction: &Instruction| match target.does(ControlPart::Stalls) {
            true => 1,
            false => target.latencies.latency(instruction).unwrap_or(RISE),
        };
        let one = |(instruction, &Chosen { write, read }): (&Instruction, &Chosen)| ControlBits {
            stall: match () {
                () if instruction.has_barrier() => 0,
                () if instruction.has_counter() => DEPBAR_STALL,
                () => latency(instruction),
            },
            write,
            read,
            ..ControlBits::default()
        };
        Solver {
            code,
            graph,
            target,
            bits: code.iter().zip(chosen).map(one).collect(),
            limits: limits.iter().map(|limit| (limit.before, limit.clone())).collect(),
            ends: vec![None; graph.len()],
            pending: (0..graph.len().min(1)).collect(),
        }
    }

    /// The cycles from an instruction's issue to the issue of the next one.
    fn cycles(&self, index: usize) -> u8 {
        if self.code[index].has_barrier() { 0 } else { self.bits[index].cycles() }
    }

    /// The state at the beginning of a block.
    fn start(&self, block: usize) -> InFlight {
        let mut state = InFlight::NOTHING;
        let ends =
            self.graph.predecessors(block).iter().filter_map(|&from| self.ends[from].as_ref());
        ends.for_each(|end| state.join(end));
        state
    }

    fn visit(&mut self, block: usize) {
        let mut state = self.start(block);
        let mut before = None;
        for index in self.graph.instructions(block) {
            let instruction = &self.code[index];
            // A machine may leave convergence barriers out, so they take no time.
            if instruction.has_barrier() {
                continue;
            }
            let awaited = state.awaited(instruction);
            let limit = self.limits.get(&index).map_or(0, |limit| 1 << limit.counter);
            let missing = state.missing(instruction, &self.target.latencies, awaited | limit);
            if missing != 0 {
                match before {
                    Some(before) => self.delay(before, missing),
                    // Their ends are other ones now.
                    None if self.delay_predecessors(block, index, awaited | limit) => {
                        self.pending.insert(block);
                        return;
                    }
                    None => {}
                }
                state.pass(missing);
            }
            self.bits[index].wait |= awaited;
            state.clear(self.bits[index].wait);
            if let Some(limit) = self.limits.get(&index) {
                state.limited(limit);
            }
            self.issue(index, &mut state);
            state.pass(self.cycles(index));
            before = Some(index);
        }
        if self.ends[block].as_ref() != Some(&state) {
            self.ends[block] = Some(state);
            self.pending.extend(self.graph.successors(block));
        }
    }

    /// The next instruction issues some cycles later.
    fn delay(&mut self, index: usize, cycles: u8) {
        let stall = self.bits[index].cycles() + cycles;
        self.bits[index].stall = stall.min(MAX_STALL);
    }

    /// An instruction that waits for some counters, the first of its block, issues too early: those
    /// predecessors from which it does take longer. Returns true if there are some.
    fn delay_predecessors(&mut self, block: usize, index: usize, awaited: u8) -> bool {
        let instruction = &self.code[index];
        let mut is_any = false;
        let mut blocks = vec![block];
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        while let Some(block) = blocks.pop() {
            for &from in self.graph.predecessors(block) {
                if !seen.insert(from) {
                    continue;
                }
                let timed = |at: &usize| !self.code[*at].has_barrier();
                let last = self.graph.instructions(from).rev().find(timed);
                let Some(last) = last else {
                    blocks.push(from);
                    continue;
                };
                let Some(end) = &mut self.ends[from] else {
                    continue;
                };
                let missing = end.missing(instruction, &self.target.latencies, awaited);
                if missing != 0 {
                    is_any = true;
                    end.pass(missing);
                    self.delay(last, missing);
                    self.pending.extend(self.graph.successors(from));
                }
            }
        }
        is_any
    }

    /// An instruction has issued: what it has in flight from now on.
    fn issue(&mut self, index: usize, state: &mut InFlight) {
        let instruction = &self.code[index];
        let result = destination(instruction).positions();
        if let Some(latency) = self.target.latencies.latency(instruction) {
            result.for_each(|at| state.due[at] = latency + self.target.latencies.unforwarded);
            return;
        }
        let ControlBits { write, read, .. } = self.bits[index];
        let bit = |counter: Option<u8>| counter.map_or(0, |counter| 1 << counter);
        result.for_each(|at| state.writes[at] |= bit(write));
        // When the result is written, the sources have been read.
        let of_reads = bit(read.or(write));
        reads(instruction).positions().for_each(|at| state.reads[at] |= of_reads);
        for counter in [write, read].into_iter().flatten() {
            state.rising[usize::from(counter)] = RISE;
        }
    }
}

/// A source that is a single general register.
fn single(instruction: &Instruction, at: usize) -> Option<u8> {
    match (instruction.sources[at], instruction.source_kind(at)) {
        (Operand::Reg(register), Some(kind)) if kind.registers() == 1 => Some(register.0),
        _ => None,
    }
}

/// An instruction of a block that stalls only until its counter has risen, for which the next one waits, yields instead.
fn yield_to_counters(code: &[Instruction], bits: &mut [ControlBits]) {
    for index in 1..bits.len() {
        let limit = if code[index].has_counter() { 1 << code[index].barrier } else { 0 };
        let awaited = bits[index].wait | limit;
        let own = &mut bits[index - 1];
        let is_awaited = |counter: u8| awaited >> counter & 1 != 0;
        if own.stall == RISE && own.write.into_iter().chain(own.read).any(is_awaited) {
            (own.stall, own.yields) = (1, true);
        }
    }
}

/// Instructions between a source and its reuse, at most: the operand cache also serves other warps.
const REUSE_DISTANCE: usize = 4;

/// Marks the sources of a block's instructions that the operand cache keeps.
fn reuse(
    code: &[Instruction],
    bits: &mut [ControlBits],
    latencies: &FixedLatencies,
    first_uniform: u32,
) {
    for index in 0..code.len() {
        let own = |at| single(&code[index], at).filter(|&it| u32::from(it) < first_uniform);
        let reused = |&at: &usize| {
            own(at).is_some_and(|register| is_reused(code, bits, index, at, register, latencies))
        };
        bits[index].reuse = (0..3).filter(reused).fold(0, |all, at| all | 1 << at);
    }
}

/// Returns true if a later instruction reads a register from the operand cache that source `at` of instruction `index` has.
fn is_reused(
    code: &[Instruction],
    bits: &[ControlBits],
    index: usize,
    at: usize,
    register: u8,
    latencies: &FixedLatencies,
) -> bool {
    let own = Registers::of(usize::from(register)..usize::from(register) + 1);
    if latencies.latency(&code[index]).is_none() || destination(&code[index]).intersects(own) {
        return false;
    }
    for (next, bits) in code.iter().zip(bits).skip(index + 1).take(REUSE_DISTANCE) {
        if bits.wait != 0 || latencies.latency(next).is_none() {
            return false;
        }
        match (next.sources[at], single(next, at)) {
            (Operand::Reg(_), Some(other)) if other == register => return true,
            (Operand::Reg(_), Some(other)) if other % BANKS != register % BANKS => {}
            (Operand::Reg(_), _) => return false,
            _ => {}
        }
        if destination(next).intersects(own) {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine_code::dependence_check::check;
    use reconverge_isa::{Unit, text};

    /// The control bits of code, as text, on a machine whose arithmetic takes 4 cycles.
    fn stated(code: &str) -> Vec<String> {
        stated_with(code, COUNTERS)
    }

    fn stated_with(code: &str, counters: u8) -> Vec<String> {
        let mut program =
            text::parse(code).unwrap_or_else(|errors| panic!("{}\n{code}", errors[0]));
        let latencies = FixedLatencies::new(|row| match row.unit {
            Unit::Integer => Some(4),
            Unit::Control => Some(1),
            _ => None,
        });
        let target = ControlTarget { counters, ..ControlTarget::new(latencies) };
        let kernel = &mut program.kernels[0];
        let common = vec![false; kernel.code.len()];
        choose(kernel, common, &target);
        assert_eq!(check(kernel, &latencies), Ok(()), "{code}");
        let text = text::print(&program);
        let lines = text.lines().filter(|line| line.starts_with("  ") && line.contains('!'));
        let start = |line: &str| line.find("depbar").or(line.find('!')).unwrap_or(0);
        lines.map(|line| line[start(line)..].to_owned()).collect()
    }

    #[test]
    fn the_stall_count_is_in_front_of_the_reader() {
        let code = "mov.b32 r0, 1\n mov.b32 r1, 2\n add.i32 r2, r0, r1\n exit";
        assert_eq!(stated(code), ["!stall 1", "!stall 4", "!stall 1", "!stall 1"]);
    }

    #[test]
    fn loads_share_the_counter_of_their_reader() {
        let code = "ld.global.b32 r1, [r0]\n ld.global.b32 r2, [r0+4]\n ld.global.b32 r3, [r0+8]\n\
            add.i32 r4, r1, r2\n add.i32 r4, r4, r3\n exit";
        let expected = [
            "!stall 1 !wr 0",
            "!stall 1 !wr 0",
            "!stall 1 !wr 1",
            "!stall 4 !wait 0",
            "!stall 1 !wait 1",
            "!stall 1",
        ];
        assert_eq!(stated(code), expected);
    }

    #[test]
    fn the_seventh_load_shares_the_counter_that_is_awaited_last() {
        let loads: String = (1..8).map(|at| format!("ld.global.b32 r{at}, [r0]\n")).collect();
        let reads: String = (1..8).map(|at| format!("add.i32 r8, r{at}, r{at}\n")).collect();
        let found = stated(&format!("{loads}{reads}exit"));
        assert!(found[5].contains("!wr 5") && found[6].contains("!wr 5"), "{found:?}");
        assert!(found[12].contains("!wait 5") && !found[13].contains("!wait"), "{found:?}");
    }

    #[test]
    fn results_that_end_in_order_are_awaited_above_0() {
        let code = |space: &str, guard: &str| {
            let load = |at: u32| format!("{guard} ld.{space}.b32 r{}, [r0]\n", at + 1);
            let loads: String = (0..12).map(load).collect();
            let reads: String = (1..13).map(|at| format!("add.i32 r20, r{at}, r20\n")).collect();
            format!("{loads}{reads}exit")
        };
        let waits = |space: &str, guard: &str, counters: u8| {
            let all = stated_with(&code(space, guard), counters);
            all.iter().filter(|line| line.contains("depbar")).cloned().collect::<Vec<_>>()
        };
        let limits =
            |stated: &[String]| stated.iter().map(|it| it[..16].to_owned()).collect::<Vec<_>>();
        assert_eq!(limits(&waits("shared", "", 1)), ["depbar.le sb0, 8", "depbar.le sb0, 4"]);
        for (space, guard, counters) in [("global", "", 1), ("shared", "@p0", 1), ("shared", "", 6)]
        {
            assert!(waits(space, guard, counters).is_empty(), "{guard} {space}, {counters}");
        }
    }

    #[test]
    fn an_overwritten_source_has_a_read_counter() {
        let code = "st.global.b32 [r0], r1\n mov.b32 r1, 2\n exit";
        assert_eq!(stated(code), ["!stall 1 !yield !rd 0", "!stall 1 !wait 0", "!stall 1"]);
        // The result is awaited there anyway.
        let code = "ld.global.b32 r1, [r0]\n add.i32 r0, r1, r1\n exit";
        assert_eq!(stated(code), ["!stall 1 !yield !wr 0", "!stall 1 !wait 0", "!stall 1"]);
    }

    #[test]
    fn only_the_predecessors_stall_that_have_to() {
        let code =
            "mov.b32 r0, 0\n L: add.i32 r0, r0, 1\n setp.lt.s32 p0, r0, 9\n @p0 bra L\n exit";
        assert_eq!(stated(code), ["!stall 4", "!stall 4", "!stall 4", "!stall 1", "!stall 1"]);
    }

    #[test]
    fn a_source_is_reused_by_position_and_bank() {
        let code = "add.i32 r4, r0, r1\n add.i32 r5, r0, r2\n add.i32 r6, r3, r2\n exit";
        let expected = ["!stall 1 !reuse 0", "!stall 1 !reuse 1", "!stall 1", "!stall 1"];
        assert_eq!(stated(code), expected);
    }
}
